// One case for each rule of Slurm's scheduler that decides schedules, computed by hand. The names
// of files and functions in brackets are those of Slurm 22.05 where the rule stands.
#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "policies/slurm/priorities.hpp"
#include "policies/slurm/scheduler.hpp"
#include "policies/slurm/site/site.hpp"
#include "policies/slurm/will_run.hpp"
#include "policies/slurm/windows.hpp"

#include "tests/policies/slurm/small_machine.hpp"
#include "tests/support/dice.hpp"

namespace schedfarm::tests {

namespace {

using namespace policies::slurm;  // NOLINT(google-build-using-namespace)
using namespace by_hand;          // NOLINT(google-build-using-namespace)

TEST_CASE("the tier of a partition comes before any priority [sort_job_queue2]") {
    Settings settings = machine(1);
    Partition urgent = settings.partitions.front();
    urgent.tier = 2;
    settings.partitions.push_back(urgent);
    Scheduler scheduler(settings);
    WaitingJob high = waits(1, 1, 1);
    high.priority = 5000;
    WaitingJob low = waits(2, 1, 1);
    low.partition = 1;
    low.priority = 1;
    scheduler.submit(high);
    scheduler.submit(low);
    CHECK(started(scheduler.main_pass(0, true)) == Ids{2});
}

TEST_CASE("a job that does not fit closes its partition and its nodes for others [_schedule]") {
    // Nodes 0–3; job 1 wants all four and node 0 is busy. Job 2, of the same partition, would fit;
    // job 3, of a partition that has node 3 only, would fit, too.
    Settings settings = machine(4);
    settings.partitions.push_back(
        {.name = "other", .nodes = nodes_from_to(settings, 3, 3), .whole_nodes = true}
    );
    Scheduler scheduler(settings);
    scheduler.begin(runs(settings, 9, 0, 0, 600));
    WaitingJob other = waits(3, 1, 1);
    other.partition = 1;
    scheduler.submit(waits(1, 4, 1));
    scheduler.submit(waits(2, 1, 1));
    scheduler.submit(other);
    CHECK(started(scheduler.main_pass(0, true)).empty());
}

TEST_CASE("a main pass of limited depth looks at one entry more [_schedule]") {
    Settings settings = machine(8);
    settings.main.default_queue_depth = 2;
    Scheduler scheduler(settings);
    for (std::uint64_t id = 1; id <= 5; ++id) {
        scheduler.submit(waits(id, 1, 1));
    }
    CHECK(started(scheduler.main_pass(0, false)) == Ids{1, 2, 3});
    CHECK(started(scheduler.main_pass(0, true)) == Ids{4, 5});
}

TEST_CASE(
    "running jobs end in groups, and a start is planned at the end of its group [_will_run_test]"
) {
    // Two jobs on one node each end by their limits at 40 and 85. The reference is 60, the first
    // end rounded up past the next multiple of 30; the first group reaches to 60 + 30 = 90 and has
    // both. A job of one node is planned at 85, not at 40.
    Settings settings = machine(2);
    FreeNodes free(settings.nodes);
    const RunningJob first = runs(settings, 1, 0, 0, 40);
    RunningJob second = runs(settings, 2, 1, 1, 85);
    free.take(first.holding);
    free.take(second.holding);
    const Request request = waits(3, 1, 1).request;
    const NodeSet all = nodes_from_to(settings, 0, 1);
    const auto start = [&] {
        return will_run(request, all, {free, {first, second}, settings})->time;
    };
    CHECK(start() == 85);
    second.limit_end = 91;  // beyond the group
    CHECK(start() == 40);
}

TEST_CASE("the table of windows bounds the reservations that a pass holds [bf_node_space_size]") {
    // Node 0 is free; nodes 1–3 end by their limits at 600. Job 1 wants four nodes, job 2 too: they
    // are planned at 600 and 660. Job 3 wants one node for eleven minutes. With a table of 3 only
    // job 1 has a place in it, job 2 ends the pass, so job 3 is not looked at; with one of 500 it
    // is, and would be in the way of job 1.
    Settings settings = machine(4);
    settings.backfill.max_job_test = 500;
    const auto starts = [&](std::uint32_t table, std::int64_t limit_min) {
        settings.backfill.node_space_size = table;
        Scheduler scheduler(settings);
        scheduler.begin(runs(settings, 9, 1, 3, 600));
        scheduler.submit(waits(1, 4, 1));
        scheduler.submit(waits(2, 4, 1));
        scheduler.submit(waits(3, 1, limit_min));
        return started(scheduler.backfill_pass(0));
    };
    CHECK(starts(500, 9) == Ids{3});
    CHECK(starts(3, 9).empty());
    CHECK(starts(500, 11).empty());
}

TEST_CASE("a window that begins at a job's end is in its way [_attempt_backfill]") {
    // As above: job 1 is planned at 600. A job of ten minutes would end then, one of nine before.
    Settings settings = machine(4);
    for (const std::int64_t limit_min : {9, 10}) {
        Scheduler scheduler(settings);
        scheduler.begin(runs(settings, 9, 1, 3, 600));
        scheduler.submit(waits(1, 4, 1));
        scheduler.submit(waits(2, 1, limit_min));
        CHECK(started(scheduler.backfill_pass(0)) == (limit_min == 9 ? Ids{2} : Ids{}));
    }
}

TEST_CASE("entries of joined windows are not used again [_add_reservation]") {
    Windows windows(0, 1000, 1, nodes_from_to(machine(2), 0, 1));
    CHECK(windows.entries() == 1);
    windows.plan(100, 200, nodes_from_to(machine(2), 0, 0));
    CHECK(windows.entries() == 3);
    windows.plan(200, 300, nodes_from_to(machine(2), 0, 0));
    CHECK(windows.entries() == 4);
    CHECK(windows.planned(150, 160, nodes_from_to(machine(2), 0, 0)));
    CHECK(!windows.planned(150, 160, nodes_from_to(machine(2), 1, 1)));
    CHECK(!windows.planned(300, 400, nodes_from_to(machine(2), 0, 1)));
}

TEST_CASE("what windows say of open nodes and of later tries is what was planned") {
    struct Planned {
        std::int64_t begin;
        std::int64_t end;
        NodeSet nodes;
    };
    const NodeSet all = nodes_from_to(machine(6), 0, 5);
    for (std::uint32_t seed = 1; seed <= 500; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        Windows windows(0, 100, 1, all);
        std::vector<Planned> plans;
        const auto is_planned = [&](std::size_t node, std::int64_t from, std::int64_t until) {
            return std::any_of(plans.begin(), plans.end(), [&](const Planned& one) {
                return one.nodes.contains(node) && one.end > from && one.begin <= until;
            });
        };
        for (int k = 0; k < 12; ++k) {
            const std::int64_t begin = dice.below(90);
            const std::size_t first = dice.below(6);
            plans.push_back(
                {begin, begin + 1 + dice.below(9), nodes_from_to(machine(6), first, first)}
            );
            windows.plan(plans.back().begin, plans.back().end, plans.back().nodes);
            const std::int64_t from = dice.below(90);
            const std::int64_t until = from + dice.below(20);
            std::int64_t later = 0;  // when a node becomes open again
            for (std::int64_t time = from + 1; time < 100 && later == 0; ++time) {
                for (std::size_t node = 0; node < 6; ++node) {
                    later = is_planned(node, time - 1, time - 1) && !is_planned(node, time, time)
                                ? time
                                : later;
                }
            }
            CHECK(windows.later(all, windows.first_that_ends_after(from), 100) == later);
            NodeSet open = all;
            CHECK(windows.keep_open(open, windows.first_that_ends_after(from), until, 0));
            for (std::size_t node = 0; node < 6; ++node) {
                CHECK(open.contains(node) == !is_planned(node, from, until));
                CHECK((windows.planned_from(node) > until) == !is_planned(node, -1, until));
            }
            const std::size_t needed = 1 + dice.below(6);
            NodeSet found = all;
            const bool suffices =
                windows.keep_open(found, windows.first_that_ends_after(from), until, needed);
            CHECK(suffices == (open.count() >= needed));
            CHECK((!suffices || found == open));
        }
    }
}

TEST_CASE("a job over a limit blocks nobody and is not planned [acct_policy.c]") {
    // One job of user 1 at a time, and two nodes: job 1 waits for its user's other job; job 2,
    // which wants both nodes later, may not be planned; job 3 starts in each pass, though job 1 is
    // ahead.
    Settings settings = machine(2);
    settings.enforce_limits = true;
    settings.qos.push_back({.name = "normal", .limits = {.user_jobs = 1}});
    const auto job = [](std::uint64_t id, std::uint32_t nodes, std::uint32_t user) {
        WaitingJob one = waits(id, nodes, 1);
        one.qos = 0;
        one.user = user;
        return one;
    };
    for (const bool is_main : {true, false}) {
        Scheduler scheduler(settings);
        RunningJob other = runs(settings, 9, 0, 0, 600);
        other.qos = 0;
        other.user = 1;
        scheduler.begin(other);
        scheduler.submit(job(1, 1, 1));
        scheduler.submit(job(3, 1, 2));
        CHECK(
            started(is_main ? scheduler.main_pass(0, true) : scheduler.backfill_pass(0)) == Ids{3}
        );
    }
    settings.qos.front().limits = {.group = {no_bound, no_bound, 2, no_bound, no_bound}};
    Scheduler scheduler(settings);
    RunningJob other = runs(settings, 9, 0, 0, 60);
    other.qos = 0;
    scheduler.begin(other);
    scheduler.submit(job(1, 2, 1));
    scheduler.submit([&] {
        WaitingJob free_of_limits = waits(2, 1, 10);
        free_of_limits.partition = 0;
        return free_of_limits;
    }());
    // Neither does it close its partition because its nodes are busy.
    Scheduler by_main = scheduler;
    CHECK(started(by_main.main_pass(0, true)) == Ids{2});
    // Were job 1 planned at 60 on both nodes, job 2 would be in its way for ten minutes.
    CHECK(started(scheduler.backfill_pass(0)) == Ids{2});
    // A QOS that is the partition's and the job's counts once: the two nodes are job 9's and job
    // 3's.
    settings.partitions.front().qos = 0;
    Scheduler both(settings);
    both.begin(other);
    both.submit(job(3, 1, 1));
    CHECK(started(both.main_pass(0, true)) == Ids{3});
}

TEST_CASE("a job past its limit is taken to end after KillWait and OverTimeLimit [_guess_job_end]"
) {
    Settings settings = machine(2);
    settings.kill_wait = 37;
    FreeNodes free(settings.nodes);
    const std::vector<RunningJob> running{runs(settings, 1, 0, 1, 100)};
    free.take(running.front().holding);
    const auto start = [&](std::int64_t now) {
        const NodeSet all = nodes_from_to(settings, 0, 1);
        return will_run(waits(2, 1, 1).request, all, {free, running, settings, now})->time;
    };
    CHECK(start(50) == 100);
    CHECK(start(110) == 137);
    CHECK(start(150) == 151);
    settings.over_time_limit = 120;
    CHECK(start(110) == 257);
}

TEST_CASE("backfill makes a limit as short as --time-min, the main pass leaves it") {
    // Node 1 is planned for job 2 at 300 s. Before that job 3 has room for 4 of its 9 minutes.
    for (const std::int64_t least : {0, 240}) {
        Settings settings = machine(2);
        Scheduler scheduler(settings);
        scheduler.begin(runs(settings, 1, 0, 0, 300));
        scheduler.submit(waits(2, 2, 1));
        WaitingJob third = waits(3, 1, 9);
        third.least_limit = least;
        scheduler.submit(third);
        CHECK(scheduler.main_pass(0, true).starts.empty());
        CHECK(started(scheduler.backfill_pass(0)) == (least == 0 ? Ids{} : Ids{3}));
        CHECK(scheduler.running().front().limit_end == (least == 0 ? 300 : 240));
    }
    Settings settings = machine(2);
    Scheduler scheduler(settings);
    WaitingJob alone = waits(3, 1, 9);
    alone.least_limit = 240;
    scheduler.submit(alone);
    CHECK(started(scheduler.main_pass(0, true)) == Ids{3});
    CHECK(scheduler.running().front().limit_end == 540);
}

TEST_CASE("of an array so many tasks are planned as bf_max_job_array_resv says") {
    // All nodes are busy: three of five tasks are tested and planned, and the job behind them.
    Settings settings = machine(7);
    settings.backfill.max_job_array_resv = 3;
    settings.backfill.seconds_per_test = 0.001;  // the pass goes on where nothing can start
    Scheduler scheduler(settings);
    scheduler.begin(runs(settings, 1, 0, 6, 600));
    for (std::uint64_t id = 11; id <= 15; ++id) {
        scheduler.submit(waits(id, 1, 2));
        scheduler.waiting().back().array = 11;
    }
    scheduler.submit(waits(20, 2, 1));
    CHECK(scheduler.backfill_pass(30).tested == 4);
}

TEST_CASE("a job that only a reservation keeps waiting blocks nobody [ESLURM_RESERVATION_BUSY]") {
    // Nodes 0–1 are reserved from 100 to 160. Job 1 wants three nodes for two minutes; job 2 one.
    Settings settings = machine(3);
    settings.reservations.push_back(
        {.name = "maint",
         .announced = 0,
         .begin = 100,
         .end = 160,
         .nodes = nodes_from_to(settings, 0, 1)}
    );
    Scheduler scheduler(settings);
    scheduler.submit(waits(1, 3, 2));
    scheduler.submit(waits(2, 1, 10));
    const Decisions decisions = scheduler.main_pass(0, true);
    REQUIRE(started(decisions) == Ids{2});
    CHECK(decisions.starts.front().holding.nodes == nodes_from_to(settings, 2, 2));
    // When the one node that remains is busy, job 1 blocks the partition.
    scheduler.submit(waits(3, 1, 1));
    CHECK(started(scheduler.main_pass(0, true)).empty());
}

TEST_CASE("free neighbours: the smallest run that suffices, else the largest [_eval_nodes]") {
    // Free are 0, 2–3, 5–7.
    Settings settings = machine(8);
    FreeNodes free(settings.nodes);
    free.take({nodes_from_to(settings, 1, 1)});
    free.take({nodes_from_to(settings, 4, 4)});
    const NodeSet all = nodes_from_to(settings, 0, 7);
    const auto chosen = [&](std::uint32_t nodes) {
        return free.choose(waits(1, nodes, 1).request, all)->nodes;
    };
    CHECK(chosen(1) == nodes_from_to(settings, 0, 0));
    CHECK(chosen(2) == nodes_from_to(settings, 2, 3));
    CHECK(chosen(3) == nodes_from_to(settings, 5, 7));
    NodeSet four = nodes_from_to(settings, 5, 7);  // the largest, then the smallest that suffices
    four.insert(0);
    CHECK(chosen(4) == four);
}

TEST_CASE("shared nodes give CPUs and memory, and starts on them are not in the windows") {
    Settings settings = machine(1);
    settings.partitions.front().whole_nodes = false;
    settings.memory_is_shared = true;
    const auto job = [](std::uint64_t id, std::uint32_t cpus, std::uint64_t memory_per_cpu) {
        WaitingJob one = waits(id, 1, 1);
        one.request = {.cpus = cpus, .memory_per_cpu = memory_per_cpu};
        return one;
    };
    // 2,000 MB are left beside job 1: job 2 does not fit, job 3 does. Were job 1 in the windows,
    // its whole node would be planned.
    for (const int second : {2, 3}) {
        Scheduler scheduler(settings);
        scheduler.submit(job(1, 2, 1000));
        scheduler.submit(second == 2 ? job(2, 1, 2500) : job(3, 2, 1000));
        CHECK(started(scheduler.backfill_pass(0)) == (second == 2 ? Ids{1} : Ids{1, 3}));
    }
}

TEST_CASE("priorities move at a recomputation, sizes with what backfill found [_decay_thread]") {
    // Four of eight nodes: asked CPUs 4 of 32 give (1/2 + 1/8) / 2 = .3125; whole nodes 16 of 32
    // give (1/2 + 1/2) / 2 = .5, once backfill has found nodes and priorities are set anew.
    Settings settings = machine(8);
    settings.priorities.multifactor = true;
    settings.priorities.weights.job_size = 10000;
    settings.priorities.weights.age = 1000;
    settings.priorities.max_age = 600;
    Priorities priorities(settings);
    Scheduler scheduler(settings);
    scheduler.begin(runs(settings, 9, 0, 7, 600));
    WaitingJob job = waits(1, 4, 1);
    job.priority = priorities.of(job, 0);
    CHECK(job.priority == 3125);
    scheduler.submit(job);
    CHECK(scheduler.backfill_pass(30).starts.empty());
    CHECK(scheduler.waiting().front().priority == 3125);
    priorities.recompute(60, scheduler.running(), scheduler.waiting());
    CHECK(scheduler.waiting().front().priority == 5100);  // and an age of a tenth
}

TEST_CASE("the fair tree ranks users, idle ones first, ties alike [_calc_tree_fs]") {
    // root (root 1), eng 1 (user5 1, user6 3), sci 3 (phys 60: user1 1, user2 2; chem 30: user3 1,
    // user4 1); only user1 and user3 have used anything. Seven users: root, user5 and user6 tie at
    // 7/7; of sci phys has used less for its shares: user2 4/7, user1 3/7; chem: user4 2/7, user3
    // 1/7.
    const std::vector<Association> tree = {
        {.account = "root"},
        {.account = "root", .user = "root", .parent = 0},
        {.account = "eng", .parent = 0},
        {.account = "eng", .user = "user5", .parent = 2},
        {.account = "eng", .user = "user6", .parent = 2, .shares = 3},
        {.account = "sci", .parent = 0, .shares = 3},
        {.account = "chem", .parent = 5, .shares = 30},
        {.account = "chem", .user = "user3", .parent = 6},
        {.account = "chem", .user = "user4", .parent = 6},
        {.account = "phys", .parent = 5, .shares = 60},
        {.account = "phys", .user = "user1", .parent = 9},
        {.account = "phys", .user = "user2", .parent = 9, .shares = 2},
    };
    const std::vector<double> usage = {831, 0, 0, 0, 0, 831, 607, 607, 0, 224, 224, 0};
    const std::vector<double> factors = fair_tree_factors(tree, usage);
    const std::vector<double> expected = {
        0, 1, 0, 1, 1, 0, 0, 1.0 / 7, 2.0 / 7, 0, 3.0 / 7, 4.0 / 7};
    CHECK(factors == expected);
}

TEST_CASE("backfill counts entries of a user and of a partition [_job_exceeds_max_bf_param]") {
    Settings settings = machine(8);
    const auto starts = [&] {
        Scheduler scheduler(settings);
        for (std::uint64_t id = 1; id <= 4; ++id) {
            WaitingJob job = waits(id, 1, 1);
            job.user = id <= 3 ? 1 : 2;
            scheduler.submit(job);
        }
        return started(scheduler.backfill_pass(0));
    };
    CHECK(starts() == Ids{1, 2, 3, 4});
    settings.backfill.max_job_user = 2;
    CHECK(starts() == Ids{1, 2, 4});
    settings.backfill.max_job_part = settings.backfill.max_job_assoc = 3;  // in place of users
    CHECK(starts() == Ids{1, 2, 3});
}

TEST_CASE("a site's files are taken, passed over or refused by name") {
    SiteFiles files;
    files.conf =
        "# a comment\n"
        "NodeName=DEFAULT CPUs=4 RealMemory=4000\n"
        "NodeName=n[01-03] Feature=fast\n"
        "NodeName=big[1-2] CPUs=8 Gres=gpu:a100:2(S:0) \\\n"
        "  Weight=5\n"
        "NodeSet=all Nodes=n[01-03],big[1-2]\n"
        "PartitionName=DEFAULT MaxTime=1-00:00:00\n"
        "PartitionName=batch Nodes=all Default=YES OverSubscribe=EXCLUSIVE\n"
        "partitionname=short nodes=n[01-02] MaxTime=30 PriorityTier=7\n"
        "SchedulerParameters=bf_window=60,bf_max_job_test=9,bf_yield_interval=7\n"
        "SlurmctldPort=6817\n";
    files.changes = {"bf_max_job_test=20"};
    const Site site = read_site(files);
    REQUIRE(site.problems.empty());
    const Settings& read = site.settings;
    REQUIRE(read.nodes.size() == 5);
    CHECK(read.nodes[0].name == "n01");
    CHECK(read.nodes[4].cpus == 8);
    CHECK(read.nodes[4].gpus.front().count == 2);
    CHECK(read.nodes[4].weight == 5);
    CHECK(read.partitions[0].nodes.count() == 5);
    CHECK(read.partitions[0].max_time == 86400);
    CHECK(read.partitions[1].max_time == 1800);
    CHECK(read.partitions[1].tier == 7);
    CHECK(read.backfill.window == 3600);
    CHECK(read.backfill.max_job_test == 20);
    CHECK(site.passed_over == std::vector<std::string>{"bf_yield_interval", "slurmctldport"});
    SiteFiles changed = files;
    changed.changes = {
        "NodeName=new[1-2] CPUs=8", "PartitionName=short Nodes=n[01-02],new[1-2] MaxTime=60"};
    const Site amended = read_site(changed);
    REQUIRE(amended.problems.empty());
    REQUIRE(amended.settings.partitions.size() == 2);
    CHECK(amended.settings.partitions[1].nodes.count() == 4);
    CHECK(amended.settings.partitions[1].max_time == 3600);
    CHECK(amended.settings.partitions[1].tier == 7);
    for (const char* change :
         {"bf_max_jobtest=3", "PriorityWeightAg=3", "PartitionName=short MaxTme=3"}) {
        CAPTURE(change);
        changed.changes = {change};
        const Site ignored = read_site(changed);
        REQUIRE(ignored.problems.size() == 1);
        CHECK(ignored.problems.front().file == "changes");
        CHECK(ignored.problems.front().message.find("Write '") != std::string::npos);
    }
    for (const char* line :
         {"TopologyPlugin=topology/tree",
          "Licenses=matlab:many",
          "PreemptMode=SUSPEND",
          "SchedulerParameters=bf_licenses",
          "SchedulerParameters=bf_maxjobtest=3",
          "NodeName=x CPUs=many",
          "PartitionName=odd Nodes=nowhere",
          "NodeName=n01 CPUs=4",
          "NodeName=x[1-2 CPUs=4\nPartitionName=odd Nodes=x[1-2]",
          "PartitionName=wide Nodes=ALL MaxCPUsPerSocket=3"}) {
        CAPTURE(line);
        SiteFiles odd = files;
        odd.conf += std::string(line) + "\n";
        const Site refused = read_site(odd);
        REQUIRE(refused.problems.size() == 1);
        CHECK(refused.problems.front().line == 12);
    }
    const auto message_of = [&](const char* change, const char* parameter) {
        SiteFiles odd = files;
        odd.changes = {change};
        odd.conf += std::string("SchedulerParameters=") + parameter + "\n";
        const Site refused = read_site(odd);
        return refused.problems.empty() ? "" : refused.problems.front().message;
    };
    CHECK(
        message_of("bf_window", "defer")
        == "'bf_window' does not say a whole number from 1 to 43200 (how far backfill plans ahead, "
           "in min)"
    );
    CHECK(
        message_of("bf_max_job_test=0", "defer")
        == "'bf_max_job_test=0' does not say a whole number from 1 to 1000000 (jobs that backfill "
           "tests in a pass)"
    );
    CHECK(
        message_of("defer", "kill_invalid_depnd")
        == "unknown word 'kill_invalid_depnd' of SchedulerParameters (it might change schedules). "
           "Write 'kill_invalid_depend', or, to ignore it, --accept kill_invalid_depnd, in a campaign "
           "accept: [kill_invalid_depnd]"
    );
    files.conf += "SchedulerParameters=kill_invalid_depend,Ignore_NUMA,sbatch_wait_nodes\n";
    CHECK(read_site(files).problems.empty());
    files.conf +=
        "TopologyPlugin=topology/tree\n"
        "SchedulerParameters=of_tomorrow=1,bf_licenses\n";
    files.accept = {"topology", "of_tomorrow", "bf_licenses"};
    CHECK(read_site(files).problems.empty());
}

TEST_CASE("of an array each start is followed by the next task, as many as %N lets run") {
    Settings settings = machine(8);
    Scheduler scheduler(settings);
    for (std::uint64_t task = 0; task < 5; ++task) {
        WaitingJob job = waits(100 + task, 1, 1);
        job.array = 100;
        job.array_limit = 2;
        job.priority = 900;
        scheduler.submit(job);
    }
    scheduler.submit(waits(200, 1, 1));
    CHECK(started(scheduler.main_pass(0, true)) == Ids{100, 101, 200});
    scheduler.end(100);
    CHECK(started(scheduler.backfill_pass(1)) == Ids{102});
}

}  // namespace

}  // namespace schedfarm::tests
