// Limits of QOS and associations, and the usage and weights that go by what jobs hold, by hand.
#include "policies/slurm/limits.hpp"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "policies/slurm/priorities.hpp"
#include "policies/slurm/scheduler.hpp"
#include "policies/slurm/tres.hpp"

namespace schedfarm::tests {

namespace {

using namespace policies::slurm;  // NOLINT(google-build-using-namespace)

constexpr std::size_t cpu = at(Tres::cpu);
constexpr std::size_t node = at(Tres::node);

/// Three nodes of 4 CPUs; physics has the users ann (1) and bob (2), chemistry ann (4).
Settings three_nodes() {
    Settings settings;
    for (const char* name : {"a", "b", "c"}) {
        settings.nodes.push_back({.name = name, .cpus = 4, .memory = 4000});
    }
    settings.partitions.push_back({.name = "batch", .nodes = NodeSet::all(3), .whole_nodes = true});
    settings.enforce_limits = true;
    settings.priorities.multifactor = true;
    settings.priorities.half_life = 0;
    settings.qos = {{.name = "normal"}, {.name = "other"}};
    settings.associations = {
        {.account = "physics"},
        {.account = "physics", .user = "ann", .parent = 0},
        {.account = "physics", .user = "bob", .parent = 0},
        {.account = "chemistry"},
        {.account = "chemistry", .user = "ann", .parent = 3}};
    return settings;
}

/// Of ann in physics, of whole nodes.
WaitingJob asks(std::uint64_t id, std::uint32_t nodes, std::int64_t limit_min) {
    WaitingJob job{.id = id, .qos = 0, .association = 1, .user = 1, .limit = 60 * limit_min};
    job.request = {.nodes = nodes, .max_nodes = nodes, .cpus = 4 * nodes, .whole_nodes = true};
    return job;
}

/// On one node, of bob in physics.
RunningJob has(const Settings& settings, std::size_t first, std::int64_t limit_min) {
    RunningJob job{.id = 9, .qos = 0, .association = 2, .user = 2, .limit_end = 60 * limit_min};
    job.holding.nodes = NodeSet(3);
    job.holding.nodes.insert(first);
    job.held = held_by(job.holding, 0, 0, settings);
    return job;
}

Held of(const Settings& settings, const WaitingJob& job) {
    return asked_by(job, settings);
}

}  // namespace

TEST_CASE("each limit on what is held or used lets as much as it says [acct_policy.c]") {
    // Bob runs on 4 CPUs for 10 minutes at most; ann asks for 4 CPUs of one node for 5.
    struct Case {
        TresCounts Limits::*limit;
        std::uint64_t refused;
        std::uint64_t admitted;
        bool of_qos_only = false;
    };
    for (const Case& one : {
             Case{&Limits::group, 7, 8},
             Case{&Limits::group_running_minutes, 59, 60},
             Case{&Limits::job_minutes, 19, 20},
             Case{&Limits::job, 3, 4},
             Case{&Limits::per_node, 3, 4},
             Case{&Limits::least, 5, 4, true},
             Case{&Limits::user, 3, 4, true},  // bob's do not count
             Case{&Limits::account, 7, 8, true},
             Case{&Limits::user_running_minutes, 19, 20, true},
             Case{&Limits::account_running_minutes, 59, 60, true},
         }) {
        for (const bool of_qos : {true, false}) {
            for (const std::uint64_t most : {one.refused, one.admitted}) {
                Settings settings = three_nodes();
                settings.version = slurm_24_05;
                // Of a parent only those of groups hold.
                const bool of_group =
                    one.limit == &Limits::group || one.limit == &Limits::group_running_minutes;
                Limits& limits = of_qos ? settings.qos[0].limits
                                        : settings.associations[of_group ? 0 : 1].limits;
                (limits.*one.limit)[cpu] = most;
                LimitLedger ledger(settings);
                ledger.start(has(settings, 0, 10));
                const WaitingJob job = asks(1, 1, 5);
                CAPTURE(most);
                const bool holds = of_qos || !one.of_qos_only;
                CHECK(ledger.admits(job, of(settings, job)) == (most == one.admitted || !holds));
                settings.version = slurm_22_05;
                const bool is_new = one.limit == &Limits::user_running_minutes
                                    || one.limit == &Limits::account_running_minutes;
                CHECK((!is_new || ledger.admits(job, of(settings, job))));
            }
        }
    }
}

TEST_CASE("minutes that are used count, and what may still be used where limits are safe") {
    // 40 CPU minutes and 10 minutes of wall time are used; bob may use 40 more, ann asks for 20.
    Usage usage;
    usage.of_qos.resize(2);
    usage.of_associations.resize(5);
    for (Used* used : {&usage.of_qos[0], &usage.of_associations[0]}) {
        used->tres[cpu] = 2400;
        used->wall = 600;
    }
    for (const bool of_qos : {true, false}) {
        for (const bool safe : {false, true}) {
            for (const bool admitted : {false, true}) {
                Settings settings = three_nodes();
                settings.limits_are_safe = safe;
                Limits& limits = of_qos ? settings.qos[0].limits : settings.associations[0].limits;
                limits.group_minutes[cpu] = (safe ? 99U : 40U) + (admitted ? 1U : 0U);
                LimitLedger ledger(settings, &usage);
                ledger.start(has(settings, 0, 10));
                const WaitingJob job = asks(1, 1, 5);
                CHECK(ledger.admits(job, of(settings, job)) == admitted);
                CHECK(ledger.admits(job));  // asked with nodes only
                limits = {};
                limits.group_wall = 60 * ((safe ? 14U : 10U) + (admitted ? 1U : 0U));
                CHECK(ledger.admits(job) == admitted);
                CHECK(ledger.is_used_up(job) == !admitted);
            }
        }
    }
}

TEST_CASE("what running jobs have still to run becomes less at each recomputation") {
    Settings settings = three_nodes();
    settings.qos[0].usage_factor = 3;
    settings.qos[0].limits.group_running_minutes[cpu] = 100;
    LimitLedger ledger(settings);
    const RunningJob other = has(settings, 0, 10);  // 4 CPUs, 10 minutes, 3 times: 120
    ledger.start(other);
    const WaitingJob job = asks(1, 1, 5);  // 20
    CHECK_FALSE(ledger.admits(job, of(settings, job)));
    ledger.recompute(180, {other});  // 84 are left
    CHECK_FALSE(ledger.admits(job, of(settings, job)));
    ledger.recompute(200, {other});  // 80
    CHECK(ledger.admits(job, of(settings, job)));
    ledger.end(other);
    settings.qos[0].limits.group_running_minutes[cpu] = 20;
    CHECK(ledger.admits(job, of(settings, job)));
    settings.qos[0].factor_is_safe = true;  // 60 minutes
    CHECK_FALSE(ledger.admits(job, of(settings, job)));
}

TEST_CASE("a limit of the first QOS hides it in the second and in associations [OverPartQOS]") {
    Settings settings = three_nodes();
    settings.partitions[0].qos = 1;
    settings.qos[1].limits.job[cpu] = 12;
    settings.qos[0].limits.job[cpu] = 8;
    settings.associations[1].limits.job[cpu] = 4;
    settings.associations[1].limits.job[node] = 2;
    const LimitLedger ledger(settings);
    const auto admits = [&](std::uint32_t nodes) {
        const WaitingJob job = asks(1, nodes, 5);
        return ledger.admits(job, of(settings, job));
    };
    CHECK(admits(2));
    CHECK_FALSE(admits(3));  // nodes of the association: no QOS says how many
    settings.associations[1].limits.job[node] = 3;
    CHECK(admits(3));
    settings.qos[0].goes_before_partition = true;
    CHECK_FALSE(admits(3));
    CHECK(admits(2));
    settings.qos[1].limits.account_jobs = 5;  // hides MaxJobs of the association
    settings.associations[1].limits.user_jobs = 0;
    CHECK(ledger.admits(asks(1, 1, 5)));
    settings.qos[1].limits.account_jobs = no_limit;
    CHECK_FALSE(ledger.admits(asks(1, 1, 5)));
}

TEST_CASE("a node that several jobs of an account share counts once [_add_usage_node_bitmap]") {
    Settings settings = three_nodes();
    settings.associations[0].limits.group[node] = 1;
    LimitLedger ledger(settings);
    RunningJob other = has(settings, 1, 10);
    other.holding.shares = {{.cpus = 1}};
    other.held = held_by(other.holding, 0, 0, settings);
    ledger.start(other);
    const WaitingJob job = asks(1, 1, 5);
    NodeSet same(3);
    same.insert(1);
    NodeSet another(3);
    another.insert(2);
    CHECK(ledger.admits(job, of(settings, job), &same));
    CHECK_FALSE(ledger.admits(job, of(settings, job), &another));
    ledger.start(other);
    ledger.end(other);
    CHECK_FALSE(ledger.admits(job, of(settings, job), &another));
    ledger.end(other);
    CHECK(ledger.admits(job, of(settings, job), &another));
}

TEST_CASE("a job of QOS NoReserve starts when it can, and nothing is planned for it") {
    // Nodes b and c are busy for 10 minutes. Job 1 wants two nodes, job 2 one for 11 minutes.
    for (const bool reserves_nothing : {false, true}) {
        Settings settings = three_nodes();
        settings.qos[0].reserves_nothing = reserves_nothing;
        settings.backfill.resolution = 1;
        Scheduler scheduler(settings);
        for (const std::size_t busy : {1U, 2U}) {
            RunningJob other = has(settings, busy, 10);
            other.id += busy;
            scheduler.begin(other);
        }
        scheduler.submit(asks(1, 2, 5));
        WaitingJob second = asks(2, 1, 11);
        second.qos = 1;
        scheduler.submit(second);
        CHECK(scheduler.backfill_pass(0).starts.size() == (reserves_nothing ? 1 : 0));
    }
}

TEST_CASE("usage decays for limits as for fair share, of a QOS with NoDecay never") {
    // Of 4 CPUs for 100 s, by factor 2: 800 CPU seconds; half-lives of 693 s: d = 0.999.
    Settings settings = three_nodes();
    settings.priorities.half_life = 693;
    settings.partitions[0].qos = 1;
    settings.qos[0].usage_factor = 2;
    settings.qos[1].does_not_decay = true;
    Priorities priorities(settings);
    RunningJob job = has(settings, 0, 10);
    job.start = 0;
    std::vector<WaitingJob> none;
    priorities.recompute(100, {job}, none);
    const double d = 1 - 0.693 / 693;
    double slice = 1;
    for (int second = 0; second < 100; ++second) {
        slice *= d;
    }
    const Usage& usage = priorities.usage();
    CHECK(usage.of_associations[2].tres[cpu] == doctest::Approx(800 * slice));
    CHECK(usage.of_associations[0].wall == doctest::Approx(200 * slice));
    CHECK(usage.of_qos[0].tres[cpu] == doctest::Approx(800 * slice));
    CHECK(usage.of_qos[1].tres[cpu] == doctest::Approx(800));
    CHECK(priorities.billed()[0] == doctest::Approx(800 * slice));
    priorities.recompute(200, {}, none);
    CHECK(usage.of_qos[0].tres[cpu] == doctest::Approx(800 * slice * slice));
    CHECK(usage.of_qos[1].tres[cpu] == doctest::Approx(800));
}

TEST_CASE("usage is set to 0 when its period is over [_next_reset]") {
    // From Sunday, 2026-11-29, 12:00 UTC on.
    constexpr std::int64_t noon = 1'795'953'600;
    constexpr std::int64_t day = 86400;
    struct Case {
        UsageReset period;
        std::int64_t days;  // to the reset, from that day's midnight
    };
    for (const Case& one :
         {Case{UsageReset::day, 1},
          Case{UsageReset::week, 7},
          Case{UsageReset::month, 2},
          Case{UsageReset::quarter, 33},
          Case{UsageReset::year, 33}}) {
        Settings settings = three_nodes();
        settings.priorities.usage_reset = one.period;
        Priorities priorities(settings);
        std::vector<WaitingJob> none;
        priorities.recompute(noon, {}, none);
        RunningJob job = has(settings, 0, 10);
        job.start = noon;
        priorities.recompute(noon + 50, {job}, none);
        CHECK(priorities.billed()[0] == 200);
        const std::int64_t reset = noon - day / 2 + one.days * day;
        priorities.recompute(reset - 1, {}, none);
        CHECK(priorities.billed()[0] == 200);
        priorities.recompute(reset, {}, none);
        CHECK(priorities.billed()[0] == 0);
        CHECK(priorities.usage().of_associations[2].tres[cpu] == 0);
    }
}

TEST_CASE("priorities weigh the association, and what is asked for as a part of the partition") {
    // 1000 × 3/5; CPUs 8 of 12, memory 3000 of 12000 MB, nodes 2 of 3.
    Settings settings = three_nodes();
    settings.priorities.weights.association = 1000;
    settings.associations[1].priority = 3;
    settings.associations[2].priority = 5;
    WaitingJob job = asks(1, 2, 5);
    job.request.charged_per_node = 1500;
    CHECK(Priorities(settings).of(job, 0) == 600);
    settings.priorities.weights.tres[cpu] = 300;
    CHECK(Priorities(settings).of(job, 0) == 800);
    settings.priorities.weights.tres[at(Tres::memory)] = 400;
    CHECK(Priorities(settings).of(job, 0) == 900);
    settings.priorities.weights.tres[node] = -150;
    CHECK(Priorities(settings).of(job, 0) == 800);
}

TEST_CASE("what is billed is weighed, all of it or the dearest of a node [assoc_mgr_tres_weighted]"
) {
    // 4 CPUs at 0.5 and 3000 MB at 2 for each 1000: 2 + 6.
    Settings settings = three_nodes();
    settings.partitions[0].billing = {};
    settings.partitions[0].billing[cpu] = 0.5;
    settings.partitions[0].billing[at(Tres::memory)] = 0.002;
    const Holding holding = has(settings, 0, 10).holding;
    CHECK(held_by(holding, 3000, 0, settings).billing == doctest::Approx(8));
    CHECK(held_by(holding, 3000, 0, settings).tres[at(Tres::billing)] == 8);
    settings.priorities.bills_dearest = true;
    CHECK(held_by(holding, 3000, 0, settings).billing == doctest::Approx(6));
}

}  // namespace schedfarm::tests
