// Rules of later releases than Slurm 22.05, a case by hand each. In brackets are the release and
// the file and function of its source; no recording holds them.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "policies/slurm/scheduler.hpp"
#include "policies/slurm/site/site.hpp"
#include "policies/slurm/will_run.hpp"
#include "policies/slurm/windows.hpp"

#include "tests/policies/slurm/small_machine.hpp"

namespace schedfarm::tests {

namespace {

using namespace policies::slurm;  // NOLINT(google-build-using-namespace)
using namespace by_hand;          // NOLINT(google-build-using-namespace)

/// Partition 1 has the first node alone.
Settings nodes(std::size_t count, std::uint32_t version) {
    Settings settings = machine(count, 1);
    settings.version = version;
    settings.partitions.push_back(settings.partitions.front());
    settings.partitions.back().nodes = nodes_from_to(settings, 0, 0);
    settings.backfill.resolution = 300;
    return settings;
}

Ids started_by_backfill(Scheduler& scheduler) {
    return started(scheduler.backfill_pass(0));
}

}  // namespace

TEST_CASE("a later try counts those gone who end before it [24.11: job_test.c, _future_run_test]") {
    // One job on each of two nodes, until 40 and 85 s.
    const auto at = [](std::uint32_t version, std::uint32_t count, Try when) -> std::int64_t {
        const Settings settings = nodes(2, version);
        FreeNodes free(settings.nodes);
        const std::vector<RunningJob> running{
            runs(settings, 1, 0, 0, 40), runs(settings, 2, 1, 1, 85)};
        for (const RunningJob& job : running) {
            free.take(job.holding);
        }
        const auto found = will_run(
            waits(3, count, 1).request,
            settings.partitions.front().nodes,
            {free, running, settings, 7, false, when}
        );
        CHECK((!found || !found->is_free));
        return found ? found->time : -1;
    };
    CHECK(at(slurm_22_05, 1, {50, 0}) == 85);   // the end of the group
    CHECK(at(slurm_24_11, 1, {50, 0}) == 7);    // so that the job starts at 50
    CHECK(at(slurm_24_11, 1, {40, 0}) == 85);   // none ends before 40
    CHECK(at(slurm_24_11, 2, {50, 84}) == -1);  // the second is not awaited
    CHECK(at(slurm_24_11, 2, {50, 85}) == 85);
    CHECK(at(slurm_22_05, 2, {50, 84}) == 85);
}

TEST_CASE("a start is planned at the last end that frees its nodes [25.11: _get_last_relevant_job]"
) {
    const auto at = [](std::uint32_t version) {
        const Settings settings = nodes(2, version);
        FreeNodes free(settings.nodes);
        const std::vector<RunningJob> running{
            runs(settings, 1, 0, 0, 40), runs(settings, 2, 1, 1, 85)};
        for (const RunningJob& job : running) {
            free.take(job.holding);
        }
        return will_run(
                   waits(3, 1, 1).request,
                   settings.partitions.front().nodes,
                   {free, running, settings, 7}
        )
            ->time;
    };
    CHECK(at(slurm_24_11) == 85);
    CHECK(at(slurm_25_11) == 40);  // node 0 is chosen
}

TEST_CASE("jobs past their limits hold nodes that are planned from now [24.11: _attempt_backfill]"
) {
    // Job 9 is past its limit of -1. Job 1 wants its node, and with it the other one, which job 2
    // would have for four minutes: by 22.05 job 9 ends 400 s after its limit, by 24.11 it counts as
    // gone, and job 1 is planned from now on (_build_cr_job_list: end_time < start).
    for (const std::uint32_t version : {slurm_22_05, slurm_24_11}) {
        Settings settings = nodes(2, version);
        settings.kill_wait = 400;
        Scheduler scheduler(settings);
        scheduler.begin(runs(settings, 9, 0, 0, -1));
        scheduler.submit(waits(1, 2, 1));
        scheduler.submit(waits(2, 1, 4));
        CHECK(started_by_backfill(scheduler) == (version == slurm_22_05 ? Ids{2} : Ids{}));
    }
}

TEST_CASE("the next try is behind the second window after an end [24.11: _attempt_backfill]") {
    const Settings settings = nodes(2, slurm_24_11);
    Windows windows(0, 1000, 1, nodes_from_to(settings, 0, 1));
    windows.plan(100, 230, nodes_from_to(settings, 0, 0));
    windows.plan(370, 450, nodes_from_to(settings, 1, 1));
    CHECK(windows.behind(50) == 370);  // of 100 to 230, and 230 to 370
    CHECK(windows.behind(150) == 450);
    CHECK(windows.behind(300) == 0);  // behind 370 to 450 only the last comes
}

TEST_CASE("ends of plans are rounded up [24.11: _set_slot_time, _bf_reserve_running]") {
    // Job 1 starts on node 0 for 6 minutes. Job 2 wants both nodes then: by 22.05 from 300 s on, by
    // 24.11 from 600. Job 3 would have node 1 for 8 minutes.
    for (const std::uint32_t version : {slurm_22_05, slurm_24_11}) {
        Settings settings = nodes(2, version);
        Scheduler scheduler(settings);
        WaitingJob first = waits(1, 1, 6);
        first.partition = 1;
        scheduler.submit(first);
        scheduler.submit(waits(2, 2, 1));
        scheduler.submit(waits(3, 1, 8));
        CHECK(started_by_backfill(scheduler) == (version == slurm_22_05 ? Ids{1} : Ids{1, 3}));
    }
}

TEST_CASE("no two plans share a slot of bf_resolution [24.05.4: _attempt_backfill]") {
    // Node 0 is busy until 330 s. Jobs 1 and 2 want it for a minute each, job 3 both nodes:
    // by 22.05 all three are planned from 300 to 600, by 24.05.4 one after another. Job 4 would
    // have node 1 for 12 minutes.
    for (const std::uint32_t version : {slurm_22_05, slurm_24_05, slurm_24_05_4}) {
        Settings settings = nodes(2, version);
        Scheduler scheduler(settings);
        scheduler.begin(runs(settings, 9, 0, 0, 330));
        for (const std::uint64_t id : {1U, 2U}) {
            WaitingJob job = waits(id, 1, 1);
            job.partition = 1;
            scheduler.submit(job);
        }
        scheduler.submit(waits(3, 2, 1));
        scheduler.submit(waits(4, 1, 12));
        CHECK(started_by_backfill(scheduler) == (version == slurm_24_05_4 ? Ids{4} : Ids{}));
    }
}

TEST_CASE("bf_max_job_test ends the tasks of an array, too [23.02.1: _attempt_backfill]") {
    for (const std::uint32_t version : {slurm_22_05, slurm_23_02_1}) {
        Settings settings = nodes(3, version);
        settings.backfill.max_job_test = 2;
        settings.backfill.node_space_size = 50;
        settings.backfill.max_job_array_resv = 3;
        settings.backfill.seconds_per_test = 0.001;  // the pass goes on where nothing can start
        Scheduler scheduler(settings);
        for (const std::size_t node : {0U, 1U, 2U}) {
            scheduler.begin(runs(settings, 90 + node, node, node, 600));
        }
        for (std::uint64_t id = 11; id <= 15; ++id) {
            scheduler.submit(waits(id, 1, 2));
            scheduler.waiting().back().array = 11;
        }
        CHECK(scheduler.backfill_pass(30).tested == (version == slurm_22_05 ? 3 : 2));
    }
}

TEST_CASE("defaults are those of the release that SLURM_VERSION names [read_config.h]") {
    struct Case {
        const char* release;
        bool whole_nodes;
        bool multifactor;
        bool memory_is_shared;
    };
    for (const Case& one :
         {Case{"22.05.8", true, false, false},
          Case{"23.02", true, false, false},
          Case{"23.11.0-0rc1", false, true, true},
          Case{"24.05.2", false, true, true}}) {
        CAPTURE(one.release);
        const Site site = read_site(
            {.conf = std::string("SLURM_VERSION = ") + one.release
                     + "\nNodeName=n1 CPUs=2\nPartitionName=p Nodes=n1\n"}
        );
        REQUIRE(site.problems.empty());
        CHECK(site.settings.partitions[0].whole_nodes == one.whole_nodes);
        CHECK(site.settings.priorities.multifactor == one.multifactor);
        CHECK(site.settings.memory_is_shared == one.memory_is_shared);
        CHECK(site.settings.version_is_given);
    }
    const std::string plain = "NodeName=n1\nPartitionName=p Nodes=n1\n";
    const std::string note = rules_note(read_site({.conf = plain}).settings);
    CHECK(note.find("those of 22.05. For another") != std::string::npos);
    for (const char* wrong : {"", "21.08", "27.05", "24", "24.13", "24.05.1.1", "-1", "abc"}) {
        CAPTURE(wrong);
        const std::string line = std::string("SLURM_VERSION=") + wrong + "\n";
        CHECK(read_site({.conf = line + plain}).problems.size() == 1);
    }
}

}  // namespace schedfarm::tests
