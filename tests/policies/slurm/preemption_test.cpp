// Which jobs are sent away for others, by partition and by QOS, by hand. The names in brackets are
// those of Slurm 22.05.
#include "policies/slurm/preemption.hpp"

#include <doctest/doctest.h>

#include "policies/slurm/scheduler.hpp"

#include "tests/policies/slurm/small_machine.hpp"

namespace schedfarm::tests {

namespace {

using namespace policies::slurm;  // NOLINT(google-build-using-namespace)
using namespace by_hand;          // NOLINT(google-build-using-namespace)

TEST_CASE("a job of a higher tier sends away the fewest of the lowest tier [preempt/partition_prio]"
) {
    // Jobs 1 (two nodes), 2 and 3 (one node each) of the low partition run on 0–3. A job of one
    // node of the high one sends job 2 away: it holds the fewest nodes and has the lowest id of
    // those.
    Settings settings = machine(4);
    settings.preempts = Preempts::lower_tiers;
    settings.partitions.front().preempted = true;
    Partition high = settings.partitions.front();
    high.tier = 2;
    high.preempted = false;
    settings.partitions.push_back(high);
    Scheduler scheduler(settings);
    scheduler.begin(runs(settings, 1, 0, 1, 600));
    scheduler.begin(runs(settings, 2, 2, 2, 600));
    scheduler.begin(runs(settings, 3, 3, 3, 600));
    WaitingJob urgent = waits(4, 1, 1);
    urgent.partition = 1;
    scheduler.submit(urgent);
    const Decisions first = scheduler.main_pass(0, true);
    CHECK(first.starts.empty());
    CHECK(first.victims == Ids{2});
    CHECK(scheduler.main_pass(0, true).victims == Ids{3});  // 2 has got its signal
    scheduler.end(2);
    CHECK(started(scheduler.main_pass(1, true)) == Ids{4});
}

TEST_CASE("a job sends away those of the QOS that its own lists [preempt/qos]") {
    // Job 1 (two nodes) of QOS low, of priority 5, jobs 2 and 3 of idle, of priority 3, and job 4
    // of high run on 0-4. A job of high that needs two nodes has those of idle, not job 1, which
    // alone would be enough: the lower QOS goes first. Of high nobody makes room for high.
    Settings settings = machine(5);
    settings.preempts = Preempts::listed_qos;
    settings.qos = {
        {.name = "low", .priority = 5},
        {.name = "idle", .priority = 3},
        {.name = "high", .priority = 9, .preempts = {0, 1}}};
    Scheduler scheduler(settings);
    const auto begin = [&](std::uint64_t id, std::size_t first, std::size_t last, std::uint32_t qos
                       ) {
        RunningJob job = runs(settings, id, first, last, 600);
        job.qos = qos;
        scheduler.begin(job);
    };
    begin(1, 0, 1, 0);
    begin(2, 2, 2, 1);
    begin(3, 3, 3, 1);
    begin(4, 4, 4, 2);
    const auto submit = [&](std::uint64_t id, std::uint32_t nodes, std::uint32_t qos) {
        WaitingJob job = waits(id, nodes, 1);
        job.qos = qos;
        scheduler.submit(job);
    };
    submit(5, 5, 2);
    CHECK(scheduler.main_pass(0, true).victims.empty());
    scheduler.withdraw(5);
    submit(6, 1, 1);
    submit(7, 2, 2);
    const Decisions decisions = scheduler.main_pass(0, true);
    CHECK(decisions.victims == Ids{2, 3});
    CHECK(decisions.starts.empty());
    // Job 7 is behind job 6 by its priority, and before it since 6 makes room for it.
    scheduler.end(2);
    scheduler.end(3);
    CHECK(started(scheduler.main_pass(1, true)) == Ids{7});
    // What anybody could send away again takes no entry of the table of plans.
    const WaitingJob any = waits(9, 1, 1);
    CHECK(may_be_sent_away(any, settings));
    settings.preempts = Preempts::nothing;
    CHECK_FALSE(may_be_sent_away(any, settings));
}

TEST_CASE("the order of what makes room for what goes before priorities [sort_job_queue2]") {
    // By priorities 1 to 4. The QOS of 3 sends away that of 1, that of 4 those of 2 and 3.
    Settings settings = machine(4);
    settings.preempts = Preempts::listed_qos;
    settings.qos = {
        {.name = "a"},
        {.name = "b"},
        {.name = "c", .preempts = {0}},
        {.name = "d", .preempts = {1, 2}}};
    Scheduler scheduler(settings);
    scheduler.begin(runs(settings, 9, 0, 0, 600));  // of no QOS
    for (std::uint32_t qos = 0; qos < 4; ++qos) {
        WaitingJob job = waits(qos + 1, 1, 1);
        job.qos = qos;
        scheduler.submit(job);
    }
    scheduler.submit(waits(5, 1, 1));
    CHECK(started(scheduler.main_pass(0, true)) == Ids{4, 3, 1});
}

TEST_CASE("who reserves nothing is tried as a short job where jobs may be sent away [backfill.c]") {
    // Node 1 is free until job 1 is planned to have both, in 300 s. Job 2 is of an hour.
    Settings settings = machine(2);
    settings.qos = {{.name = "scavenger", .reserves_nothing = true}};
    for (const Preempts preempts : {Preempts::nothing, Preempts::lower_tiers}) {
        settings.preempts = preempts;
        Scheduler scheduler(settings);
        scheduler.begin(runs(settings, 9, 0, 0, 300));
        scheduler.submit(waits(1, 2, 1));
        WaitingJob job = waits(2, 1, 60);
        job.qos = 0;
        scheduler.submit(job);
        const Decisions decisions = scheduler.backfill_pass(0);
        CHECK(started(decisions) == (preempts == Preempts::nothing ? Ids{} : Ids{2}));
        if (preempts != Preempts::nothing) {
            CHECK(scheduler.end(2).limit_end == 3600);
        }
    }
}

}  // namespace

}  // namespace schedfarm::tests
