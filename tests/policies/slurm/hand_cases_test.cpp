// Rules of Slurm's scheduler by hand, in cases whose numbers are all different: what bounds a pass,
// whose jobs limits count, what plans hold open, and how priorities and ends of jobs are reckoned.
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/simulation/submitted_request.hpp"

#include "policies/slurm/priorities.hpp"
#include "policies/slurm/requests.hpp"
#include "policies/slurm/scheduler.hpp"
#include "policies/slurm/will_run.hpp"
#include "policies/slurm/windows.hpp"

#include "tests/policies/slurm/small_machine.hpp"

namespace schedfarm::tests {

namespace {

using namespace policies::slurm;  // NOLINT(google-build-using-namespace)
using namespace by_hand;          // NOLINT(google-build-using-namespace)

/// Of three CPUs.
Settings nodes_of_three(std::size_t count) {
    return machine(count, 3);
}

/// A pass over so many jobs of one node, all of which could start.
Ids started_of(const Settings& settings, std::uint64_t jobs, bool is_main) {
    Scheduler scheduler(settings);
    for (std::uint64_t id = 1; id <= jobs; ++id) {
        scheduler.submit(waiting_job(id, 1, 70));
    }
    return started(is_main ? scheduler.main_pass(0, true) : scheduler.backfill_pass(0));
}

}  // namespace

TEST_CASE("a pass ends at its number of tests, of starts, of jobs of a partition, or at its time") {
    Settings settings = nodes_of_three(9);
    settings.backfill.max_job_test = 4;
    settings.backfill.node_space_size = 500;
    CHECK(started_of(settings, 7, false) == Ids{1, 2, 3, 4});
    settings.backfill.max_job_start = 3;
    CHECK(started_of(settings, 7, false) == Ids{1, 2, 3});
    settings.backfill = {.interval = 25, .resolution = 1, .seconds_per_test = 10};
    CHECK(started_of(settings, 8, false) == Ids{1, 2, 3});  // 30 s are over the interval
    settings.backfill.max_time = 49;
    CHECK(started_of(settings, 8, false) == Ids{1, 2, 3, 4, 5});
    settings.main.partition_job_depth = 2;
    CHECK(started_of(settings, 7, true) == Ids{1, 2});
    settings.main = {.max_job_start = 5};
    CHECK(started_of(settings, 7, true) == Ids{1, 2, 3, 4, 5});
}

TEST_CASE("tasks of an array are tested beyond the number of tests of a pass") {
    // All is busy. Job 1 and the first of four tasks are two tests, as many as there may be; the
    // other tasks follow, and job 20 does not.
    Settings settings = nodes_of_three(2);
    settings.backfill.max_job_test = 2;
    settings.backfill.node_space_size = 500;
    settings.backfill.seconds_per_test = 0.001;
    Scheduler scheduler(settings);
    scheduler.begin(runs(settings, 9, 0, 1, 600));
    scheduler.submit(waiting_job(1, 1, 70));
    for (std::uint64_t id = 11; id <= 14; ++id) {
        scheduler.submit(waiting_job(id, 1, 80));
        scheduler.waiting().back().array = 11;
    }
    scheduler.submit(waiting_job(20, 1, 90));
    CHECK(scheduler.backfill_pass(30).tested == 5);
}

TEST_CASE("of jobs without an association none counts, of a user's those of all associations") {
    Settings settings = nodes_of_three(9);
    settings.backfill.max_job_assoc = 2;
    CHECK(started_of(settings, 5, false) == Ids{1, 2, 3, 4, 5});
    settings.backfill.max_job_assoc = 0;
    settings.backfill.max_job_user = 2;
    settings.associations = {
        {.account = "root"},
        {.account = "chem", .parent = 0},
        {.account = "phys", .parent = 0},
        {.account = "chem", .user = "ann", .parent = 1},
        {.account = "phys", .user = "ann", .parent = 2},
        {.account = "phys", .user = "bob", .parent = 2}};
    Scheduler scheduler(settings);
    std::uint64_t id = 0;
    for (const std::uint32_t association : {3U, 4U, 3U, 5U, 5U, 5U}) {
        WaitingJob job = waiting_job(++id, 1, 70);
        job.association = association;
        job.user = association == 4 ? 3 : association;  // of ann the first, as Requests has it
        scheduler.submit(job);
    }
    CHECK(started(scheduler.backfill_pass(0)) == Ids{1, 2, 4, 5});
}

TEST_CASE("a job that ends before the next plan may start behind those that wait") {
    // Node 0 is free, nodes 1–3 are busy until 630, when job 1 is to have all four.
    const Settings settings = nodes_of_three(4);
    for (const std::int64_t limit : {629, 630}) {
        Scheduler scheduler(settings);
        scheduler.begin(runs(settings, 9, 1, 3, 630));
        scheduler.submit(waiting_job(1, 4, 70));
        scheduler.submit(waiting_job(2, 1, limit));
        CHECK(started(scheduler.backfill_pass(0)) == (limit == 629 ? Ids{2} : Ids{}));
    }
}

TEST_CASE("a plan ends with its job's limit") {
    // Nodes 0–1 are busy until 120, then job 1 has them until 180 and job 2 all three from 180 on.
    Settings settings = nodes_of_three(3);
    settings.backfill.resolution = 60;
    for (const std::int64_t limit : {170, 240}) {
        Scheduler scheduler(settings);
        scheduler.begin(runs(settings, 9, 0, 1, 120));
        scheduler.submit(waiting_job(1, 2, 60));
        scheduler.submit(waiting_job(2, 3, 90));
        scheduler.submit(waiting_job(3, 1, limit));
        CHECK(started(scheduler.backfill_pass(0)) == (limit == 170 ? Ids{3} : Ids{}));
    }
}

TEST_CASE("nodes that are out, clear up or are reserved are not a job's; its own reservation's are"
) {
    for (const bool is_main : {true, false}) {
        CAPTURE(is_main);
        Settings settings = nodes_of_three(5);
        const auto pass = [&](Scheduler& scheduler) {
            return is_main ? scheduler.main_pass(0, true) : scheduler.backfill_pass(0);
        };
        Scheduler out(settings);
        out.set_usable(nodes_from_to(settings, 2, 4));
        out.submit(waiting_job(1, 4, 70));
        out.submit(waiting_job(2, 3, 80));
        CHECK(started(pass(out)) == (is_main ? Ids{} : Ids{2}));
        Scheduler clearing(settings);
        clearing.begin(runs(settings, 9, 2, 4, 500));
        clearing.set_completing(nodes_from_to(settings, 0, 0));
        clearing.submit(waiting_job(1, 2, 70));
        clearing.submit(waiting_job(2, 1, 80));
        CHECK(started(pass(clearing)).empty());
        settings.reservations.push_back(
            {.name = "r", .begin = 0, .end = 900, .nodes = nodes_from_to(settings, 2, 3)}
        );
        Scheduler reserved(settings);
        WaitingJob own = waiting_job(1, 2, 70);
        own.reservation = 0;
        reserved.submit(own);
        reserved.submit(waiting_job(2, 3, 80));
        const Decisions decisions = pass(reserved);
        REQUIRE(started(decisions) == Ids{1, 2});
        CHECK(decisions.starts[0].holding.nodes == nodes_from_to(settings, 2, 3));
    }
}

TEST_CASE("a young or a low job holds nothing open") {
    // One of two nodes is busy until 120. Job 1 wants both, job 2 one for five minutes.
    for (const bool is_main : {true, false}) {
        CAPTURE(is_main);
        const auto starts = [&](const Backfill& rules, std::int64_t eligible, double priority) {
            Settings settings = nodes_of_three(2);
            settings.backfill = rules;
            settings.backfill.interval = settings.backfill.resolution = 1;
            Scheduler scheduler(settings);
            scheduler.begin(runs(settings, 9, 1, 1, 1120));
            WaitingJob first = waiting_job(1, 2, 60);
            first.submit = 100;
            first.eligible = eligible;
            first.priority = priority;
            scheduler.submit(first);
            scheduler.submit(waiting_job(2, 1, 300));
            return started(
                is_main ? scheduler.main_pass(1000, true) : scheduler.backfill_pass(1000)
            );
        };
        CHECK(starts({.min_age_reserve = 500}, 400, 2000).empty());
        CHECK(starts({.min_age_reserve = 500}, 600, 2000) == Ids{2});
        CHECK(starts({.min_prio_reserve = 1500}, 400, 2000).empty());
        CHECK(starts({.min_prio_reserve = 3000}, 400, 2000) == Ids{2});
        CHECK(starts({}, 1001, 2000) == Ids{2});  // it is not eligible yet
    }
}

TEST_CASE("a job that may not be planned is tried once, at once") {
    // Job 1 is planned on both nodes from 120 to 180; job 2, a young one, would fit behind.
    Settings settings = nodes_of_three(2);
    settings.backfill.min_age_reserve = 500;
    settings.backfill.seconds_per_test = 0.001;
    Scheduler scheduler(settings);
    scheduler.begin(runs(settings, 9, 1, 1, 1120));
    scheduler.submit(waiting_job(1, 2, 60));
    WaitingJob young = waiting_job(2, 1, 300);
    young.eligible = 900;
    scheduler.submit(young);
    CHECK(scheduler.backfill_pass(1000).tested == 1);
}

TEST_CASE("nodes that clear up keep the partition of a job that would fit without") {
    // Node 0 is idle, node 1 clears up: job 1 wants both, and job 2 must wait for it.
    const Settings settings = nodes_of_three(2);
    Scheduler scheduler(settings);
    scheduler.set_completing(nodes_from_to(settings, 1, 1));
    scheduler.submit(waiting_job(1, 2, 70));
    scheduler.submit(waiting_job(2, 1, 80));
    CHECK(started(scheduler.main_pass(0, true)).empty());
}

TEST_CASE("starts take entries of the table, and a plan beyond the window takes none") {
    // Nodes 2–3 are busy until 600. Job 1 starts on one and has two entries beside the first; job 2
    // finds the table full, and job 3 is not looked at.
    Settings settings = nodes_of_three(4);
    settings.backfill.node_space_size = 3;
    const auto starts = [&] {
        Scheduler scheduler(settings);
        scheduler.begin(runs(settings, 9, 2, 3, 600));
        scheduler.submit(waiting_job(1, 1, 70));
        scheduler.submit(waiting_job(2, 4, 80));
        scheduler.submit(waiting_job(3, 1, 90));
        return started(scheduler.backfill_pass(0));
    };
    CHECK(starts() == Ids{1});
    settings.backfill.node_space_size = 4;
    CHECK(starts() == Ids{1, 3});
    settings.backfill.node_space_size = 3;
    settings.backfill.window = 500;
    CHECK(starts() == Ids{1, 3});
    settings.backfill.window = 5000;
    settings.backfill.node_space_size = 0;  // as many as jobs that are tested
    settings.backfill.max_job_test = 3;
    CHECK(starts() == Ids{1});
    settings.backfill.max_job_test = 4;
    CHECK(starts() == Ids{1, 3});
}

TEST_CASE("limits of a QOS, of its partition, of accounts and of users count whose jobs they say") {
    Settings settings = nodes_of_three(9);
    settings.enforce_limits = true;
    settings.partitions.push_back(settings.partitions.front());
    settings.partitions.back().qos = 1;
    settings.qos = {{.name = "normal", .limits = {.max_wall = 600}}, {.name = "of_partition"}};
    const auto node = static_cast<std::size_t>(Tres::node);
    settings.qos[0].limits.job[node] = 5;
    settings.qos[1].limits.group[node] = 6;
    settings.associations = {
        {.account = "root"},
        {.account = "phys", .parent = 0, .limits = {.user_jobs = 1}},
        {.account = "phys",
         .user = "ann",
         .parent = 1,
         .limits = {.user_jobs = 2, .max_wall = 800}},
        {.account = "phys", .user = "bob", .parent = 1, .limits = {.user_jobs = 1}}};
    LimitLedger ledger(settings);
    const auto admits = [&](std::uint32_t partition,
                            std::uint32_t qos,
                            std::uint32_t association,
                            std::uint32_t nodes,
                            std::int64_t limit) {
        WaitingJob job = waiting_job(1, nodes, limit);
        job.partition = partition;
        job.qos = qos;
        job.association = job.user = association;
        return ledger.admits(job) && ledger.admits(job, {.tres = {3 * nodes, 0, nodes}});
    };
    const auto on = [](RunningJob job, std::size_t first, std::size_t count) {
        job.holding.nodes = NodeSet(9);
        job.holding.nodes.insert(first, count);
        return job;
    };
    ledger.start(on({.id = 7, .qos = 0, .association = 2, .user = 2}, 0, 4));
    CHECK(admits(0, 0, no_limit, 3, 600));  // beside the four of another job
    CHECK(admits(0, 0, no_limit, 5, 600));
    CHECK_FALSE(admits(0, 0, no_limit, 6, 600));
    CHECK_FALSE(admits(0, 0, no_limit, 3, 601));
    CHECK(admits(0, no_limit, 2, 3, 800));
    CHECK_FALSE(admits(0, no_limit, 2, 3, 801));
    ledger.start(on({.id = 8, .association = 2, .user = 2}, 4, 1));
    CHECK_FALSE(admits(0, no_limit, 2, 3, 70));  // ann's third
    CHECK(admits(0, no_limit, 3, 3, 70));        // bob's first
    ledger.start(on({.id = 9, .partition = 1}, 5, 2));
    CHECK(admits(1, no_limit, no_limit, 4, 70));
    CHECK_FALSE(admits(1, no_limit, no_limit, 5, 70));
    CHECK(admits(0, no_limit, no_limit, 7, 70));
    ledger.end(on({.id = 8, .association = 2, .user = 2}, 4, 1));
    CHECK(admits(0, no_limit, 2, 3, 70));
}

TEST_CASE("assoc_limit_stop: a job over a limit closes its partition") {
    Settings settings = nodes_of_three(3);
    settings.enforce_limits = true;
    settings.qos = {{.name = "none", .limits = {.max_wall = 60}}};
    for (const bool stops : {true, false}) {
        settings.main.limits_stop = stops;
        Scheduler scheduler(settings);
        scheduler.submit(waiting_job(1, 1, 70));
        scheduler.waiting().back().qos = 0;
        scheduler.submit(waiting_job(2, 1, 80));
        CHECK(started(scheduler.main_pass(0, true)) == (stops ? Ids{} : Ids{2}));
    }
}

TEST_CASE("usage halves in a half-life, and running jobs are charged once") {
    Settings settings = nodes_of_three(4);
    settings.priorities.multifactor = true;
    settings.priorities.half_life = 100;
    settings.qos = {{.name = "dear", .usage_factor = 3}};
    settings.associations = {
        {.account = "root"},
        {.account = "root", .user = "ann", .parent = 0},
        {.account = "root", .user = "bob", .parent = 0}};
    std::vector<WaitingJob> none;
    const double decay = 1 - 0.693 / 100;
    Priorities priorities(settings);
    RunningJob anns{.association = 1, .start = 40, .held = {.tres = {2}, .billing = 2}};
    const RunningJob bobs{
        .qos = 0, .association = 2, .start = 180, .held = {.tres = {1}, .billing = 1}};
    priorities.charge(anns, 140);
    const double first = 100 * std::pow(decay, 100) * 2;
    CHECK(priorities.billed()[1] == doctest::Approx(first));
    priorities.recompute(200, {bobs}, none);
    CHECK(priorities.billed()[1] == doctest::Approx(first * std::pow(decay, 200)));
    const double second = 20 * std::pow(decay, 20) * 3;
    CHECK(priorities.billed()[2] == doctest::Approx(second));
    CHECK(priorities.billed()[0] == doctest::Approx(first * std::pow(decay, 200) + second));
    CHECK(priorities.fair_share() == std::vector<double>{0, 1, 0.5});
    priorities.recompute(230, {bobs}, none);  // 30 s more
    CHECK(
        priorities.billed()[2]
        == doctest::Approx(second * std::pow(decay, 30) + 30 * std::pow(decay, 30) * 3)
    );
}

TEST_CASE("who has no shares is last, who has those of the account above is first") {
    const std::vector<Association> tree = {
        {.account = "root"},
        {.account = "root", .user = "ann", .parent = 0, .shares = 7},
        {.account = "root", .user = "none", .parent = 0, .shares = 0},
        {.account = "root", .user = "parent", .parent = 0, .shares_of_parent = true},
        {.account = "root", .user = "bob", .parent = 0, .shares = 2}};
    const std::vector<double> factors = fair_tree_factors(tree, {110, 50, 0, 40, 20});
    CHECK(factors == std::vector<double>{0, 0.75, 0.25, 1, 0.5});
}

TEST_CASE("ages, sizes and nice values of a priority by hand") {
    Settings settings = nodes_of_three(8);  // 24 CPUs
    PriorityRules& rules = settings.priorities;
    rules.multifactor = true;
    rules.max_age = 1000;
    rules.weights.age = 500;
    WaitingJob job = waiting_job(1, 2, 240);
    job.request.cpus = 3;
    job.submit = 10;
    job.accrue = 100;
    const auto of = [&](std::int64_t now) {
        return Priorities(settings).of(job, now);
    };
    CHECK(of(460) == 180);
    rules.accrue_always = true;
    CHECK(of(460) == 225);
    CHECK(of(7000) == 500);
    job.nice = 70;
    CHECK(of(460) == 155);
    job.nice = 0;
    rules.weights = {.job_size = 10000};
    CHECK(of(460) == 1875);  // (2/8 + 3/24) / 2
    rules.favor_small = true;
    CHECK(of(460) == 8125);  // (6/8 + 21/24) / 2
    rules.small_relative_to_time = true;
    CHECK(of(460) == 9375);  // 6 CPUs in 4 minutes, of 24
    rules.favor_small = false;
    CHECK(of(460) == 625);
    job.planned_cpus = 12;
    CHECK(of(460) == 1250);
}

TEST_CASE("a job counts with the CPUs of the nodes that backfill found for it") {
    Settings settings = machine(3);  // of 4 CPUs each
    settings.priorities.multifactor = true;
    settings.priorities.weights.job_size = 1;
    WaitingJob job = waits(2, 1, 1);
    job.request.cpus = 5;
    job.request.max_nodes = no_limit;
    const auto counted = [&] {
        Scheduler scheduler(settings);
        scheduler.begin(runs(settings, 1, 0, 2, 100));
        scheduler.submit(job);
        CHECK(scheduler.waiting().front().counted_cpus() == 5);
        scheduler.backfill_pass(0);
        return scheduler.waiting().front().counted_cpus();
    };
    CHECK(counted() == 8);  // of two nodes
    const NodeSet all = nodes_from_to(settings, 0, 2);
    job.request.features =
        std::make_shared<const Features>(Features{.nodes = all, .counted = {{all, 3}}});
    CHECK(counted() == 12);  // of three by its features
    job.request.features = nullptr;
    settings.nodes.back().cpus = 6;
    CHECK(counted() == 6);  // of the last
}

TEST_CASE("groups of ends double, and a plan is a resolution long at least") {
    // Ends at 40, 100, 130 and 170: the groups reach to 90, 120 and 180.
    const Settings settings = nodes_of_three(4);
    FreeNodes free(settings.nodes);
    std::vector<RunningJob> jobs;
    for (const auto& [node, end] :
         std::vector<std::pair<std::size_t, std::int64_t>>{{0, 40}, {1, 100}, {2, 130}, {3, 170}}) {
        jobs.push_back(runs(settings, node + 1, node, node, end));
        free.take(jobs.back().holding);
    }
    const auto start = [&](std::uint32_t nodes) {
        const NodeSet all = nodes_from_to(settings, 0, 3);
        return will_run(waiting_job(9, nodes, 70).request, all, {free, jobs, settings})->time;
    };
    CHECK(start(1) == 40);
    CHECK(start(2) == 100);
    CHECK(start(3) == 170);

    Windows windows(0, 1200, 60, nodes_from_to(settings, 0, 3));
    windows.plan(120, 120, nodes_from_to(settings, 0, 0));
    CHECK(windows.planned(150, 160, nodes_from_to(settings, 0, 0)));
    CHECK_FALSE(windows.planned(180, 190, nodes_from_to(settings, 0, 0)));
    CHECK(windows.entries() == 3);
    windows.plan(180, 300, nodes_from_to(settings, 0, 0));  // joined with the one before it
    CHECK(windows.entries() == 4);
    windows.plan(180, 240, nodes_from_to(settings, 1, 1));
    CHECK(windows.entries() == 6);
}

TEST_CASE("a job sends away jobs of lower tiers alone, though a reservation ends later") {
    // Of three nodes the last is reserved until 100. Jobs 1 and 2 have the others.
    Settings settings = nodes_of_three(3);
    settings.preempts = Preempts::lower_tiers;
    settings.partitions.front().preempted = true;
    settings.partitions.push_back(settings.partitions.front());
    settings.partitions.back().tier = 4;
    settings.reservations.push_back(
        {.name = "r", .begin = 0, .end = 100, .nodes = nodes_from_to(settings, 2, 2)}
    );
    for (const bool is_main : {true, false}) {
        CAPTURE(is_main);
        Scheduler scheduler(settings);
        scheduler.begin(runs(settings, 1, 0, 0, 700));
        RunningJob high = runs(settings, 2, 1, 1, 600);
        high.partition = 1;
        scheduler.begin(high);
        scheduler.submit(waiting_job(5, 1, 70));
        scheduler.waiting().back().partition = 1;
        const Decisions decisions =
            is_main ? scheduler.main_pass(0, true) : scheduler.backfill_pass(0);
        CHECK(decisions.victims == Ids{1});
        scheduler.submit(waiting_job(6, 1, 80));
        scheduler.waiting().back().partition = 1;
        CHECK((is_main ? scheduler.main_pass(1, true) : scheduler.backfill_pass(1)).victims.empty()
        );
    }
}

TEST_CASE("a request has its array's limit, when it was held until, and memory of the partition") {
    Settings settings = nodes_of_three(2);
    settings.memory_is_shared = true;
    settings.partitions.front().whole_nodes = false;
    settings.partitions.front().memory_per_node = 700;
    engine::SubmittedRequest said;
    engine::Job job;
    job.size = 2;
    job.estimate = 70;
    job.request = &said;
    said.held_s = 16.5;
    CHECK(Requests(settings).of(job, 1000).eligible == 1017);
    CHECK(Requests(settings).of(job, 1000).array_limit == no_limit);
    CHECK(Requests(settings).of(job, 1000).request.memory_per_node == 700);
    said.array_limit = 5;
    settings.partitions.front().memory_per_cpu = 130;
    const WaitingJob got = Requests(settings).of(job, 1000);
    CHECK(got.array_limit == 5);
    CHECK(got.request.memory_per_node == 0);
    CHECK(got.request.memory_per_cpu == 130);
    CHECK(got.limit == 120);
}

}  // namespace schedfarm::tests
