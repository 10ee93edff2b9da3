// The policy `slurm` as campaigns know it: its parameters, the machine, outages, what jobs ask for.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/simulation/kernel/unserved_job.hpp"
#include "engine/simulation/submitted_request.hpp"

#include "tests/policies/schedule_log.hpp"

namespace schedfarm::tests {

namespace {

const PolicyDescription& slurm() {
    return policy_named("slurm");
}

GivenJob job(double submit, double service, std::uint32_t size, double limit_min) {
    GivenJob given;
    given.submit_time = submit;
    given.service_time = service;
    given.components = {size};
    given.estimate = 60 * limit_min;
    return given;
}

std::string problem_of(const Parameters& given, std::uint32_t processors = 0) {
    const Parameters complete = with_defaults(slurm().alternative.parameters, given);
    const auto found = processors == 0 ? slurm().alternative.check(complete)
                                       : slurm().check_system(complete, {.clusters = {processors}});
    return found.empty() ? "" : found.front().parameter + ": " + found.front().reason;
}

Parameters with(const char* name, const Value& value) {
    Parameters given;
    given.set(name, value);
    return given;
}

// Two nodes of four CPUs, shared.
const std::string shared_conf =
    "NodeName=n[1-2] CPUs=4 RealMemory=4000\n"
    "SelectType=select/cons_tres SelectTypeParameters=CR_Core_Memory DefMemPerCPU=9\n"
    "PartitionName=batch Nodes=ALL Default=YES\n"
    "PartitionName=first Nodes=n1 PriorityTier=5\n";

}  // namespace

// Every processor is a node. Job 1 waits for job 0 until 100 s; job 2 ends by its limit before and
// overtakes it in the backfill pass of second 30 (that of second 1 was without it).
TEST_CASE("without files there is one partition, and Slurm's defaults") {
    const Times starts = starts_of(
        "slurm", {}, 4, {job(0, 100, 3, 5), job(0, 50, 4, 5), job(2, 20, 1, 1), job(2, 20, 1, 99)}
    );
    CHECK(starts[0] == 0);
    CHECK(starts[1] == 100);
    CHECK(starts[2] == 30);
    CHECK(starts[3] == 150);
}

TEST_CASE("numbers of SchedulerParameters are parameters, and win over slurm.conf") {
    Parameters given = with("conf", shared_conf + "SchedulerParameters=bf_interval=20\n");
    const Jobs jobs{job(0, 100, 7, 5), job(0, 50, 8, 5), job(2, 20, 1, 1)};
    CHECK(starts_of("slurm", given, 8, jobs)[2] == 20);
    given.set("bf_interval", 40);
    CHECK(starts_of("slurm", given, 8, jobs)[2] == 40);
    given.set("bf_interval", -1);
    given.set("changes", "SchedulerType=sched/builtin;bf_window=10");
    CHECK(starts_of("slurm", given, 8, jobs)[2] > 100);
}

TEST_CASE("what cannot be is refused, with the file and the line") {
    CHECK(problem_of(with("bf_interval", 0)) == "bf_interval: bf_interval is 0 (it is at least 1)");
    const std::string topology = shared_conf + "TopologyPlugin=topology/tree\n";
    CHECK(problem_of(with("conf", topology)).starts_with("conf: slurm.conf:5: "));
    const std::string flat = "Account|User|Share\nroot||1\nphysics||1\n";
    CHECK(problem_of(with("associations", flat)).find("no column ParentName") != std::string::npos);
    CHECK(problem_of(with("associations", "Account|User|Share\nroot||1\n")).empty());
    Parameters accepted = with("conf", topology);
    accepted.set("accept", "topology;licences");
    CHECK(problem_of(accepted).empty());
    CHECK(
        problem_of(with("conf", shared_conf), 9)
        == "conf: slurm.conf has 8 CPUs, the system 9 processors"
    );
    CHECK(problem_of(with("conf", shared_conf), 8).empty());
}

TEST_CASE("within another policy it is refused in one line") {
    for (const char* outer : {"partitions", "queues", "slices"}) {
        const PolicyDescription& policy = policy_named(outer);
        Parameters given;
        const Choice inner{"slurm", with_defaults(slurm().alternative.parameters)};
        given.set("inner", Value::List{Value(inner)});
        const auto found =
            policy.alternative.check(with_defaults(policy.alternative.parameters, given));
        CAPTURE(outer);
        REQUIRE(found.size() == 1);
        CHECK(
            found.front().reason
            == "'slurm' divides the machine itself (it is no part of another policy)"
        );
    }
}

TEST_CASE("partition, memory and time of eligibility of a job are those that it asked for") {
    std::vector<SubmittedRequest> asked(4);
    asked[0].partition = "first";
    asked[0].memory_per_node = 3000;
    asked[1] = asked[2] = asked[0];
    asked[1].memory_per_node = 500;   // beside the first
    asked[2].memory_per_node = 2000;  // after it
    asked[3].held_s = 1000;
    Jobs jobs(4, job(0, 100, 1, 5));
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        jobs[i].request = &asked[i];
    }
    const Times starts = starts_of("slurm", with("conf", shared_conf), 8, jobs);
    CHECK(starts[0] == 0);
    CHECK(starts[1] == 0);
    CHECK(starts[2] == 100);
    CHECK(starts[3] >= 1000);
    CHECK(starts[3] <= 1060);
    CHECK(starts_of("slurm", {}, 8, jobs)[2] == 0);  // without a site any partition is the one
    asked[0].partition = "none";
    CHECK_THROWS_WITH_AS(
        starts_of("slurm", with("conf", shared_conf), 8, jobs),
        "job 0 names 'none', which is no partition of the site (it has batch, first; take the "
        "files "
        "of the log's own)",
        UnservedJobError
    );
    asked[0].partition = "first";
    Parameters shorter = with("conf", shared_conf);
    shorter.set("changes", "PartitionName=first MaxTime=1");
    CHECK_THROWS_WITH_AS(
        starts_of("slurm", shorter, 8, jobs),
        "job 0 asks for 5 minutes (partition first gives at most 1)",
        UnservedJobError
    );
}

// Processors 0 to 3 are planned to leave from 200 s to 300 s. A job of
// 5 min on all nodes cannot begin before the end of the first time; one of 3 min can.
// Four tasks of an array of which two may run at once, 100 s each, and one of another array.
TEST_CASE("of an array as many tasks run at once as its log lets") {
    std::vector<SubmittedRequest> asked(2);
    asked[0].array = 17;
    asked[0].array_limit = 2;
    asked[1].array = 18;
    Jobs jobs(5, job(0, 100, 1, 5));
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        jobs[i].request = &asked[i / 4];
    }
    const Times starts = starts_of("slurm", with("conf", shared_conf), 8, jobs);
    CHECK(starts == Times{0, 0, 100, 100, 0});
}

TEST_CASE("planned outages are reservations known ahead, others make nodes unusable") {
    TestCell cell;
    cell.system.clusters = {8};
    cell.jobs = {job(0, 30, 8, 3), job(0, 100, 8, 5)};
    cell.system.outages.listed = {{.from = 200, .until = 300, .count = 4, .is_planned = true}};
    const Parameters given = with("conf", shared_conf);
    Times starts = starts_of("slurm", given, cell);
    CHECK(starts[0] == 0);
    CHECK(starts[1] >= 300);
    CHECK(starts[1] <= 361);
    cell.system.outages.listed.front().is_planned = false;
    starts = starts_of("slurm", given, cell);
    CHECK(starts[1] == 30);
    cell.jobs.front().service_time = 250;  // then two nodes are not there
    starts = starts_of("slurm", given, cell);
    CHECK(starts[1] >= 300);
}

// A pass at 100 s starts job 2; job 1 ends a second later.
TEST_CASE("main passes are sched_min_interval apart [_sched_agent]") {
    Parameters given = with("conf", shared_conf);
    const Jobs jobs{job(0, 100, 4, 5), job(0, 101, 4, 5), job(0, 50, 4, 5), job(0, 50, 4, 5)};
    CHECK(starts_of("slurm", given, 8, jobs) == Times{0, 0, 100, 101});
    given.set("conf", shared_conf + "SchedulerParameters=sched_min_interval=3000000\n");
    CHECK(starts_of("slurm", given, 8, jobs) == Times{0, 0, 100, 103});
    given.set("conf", shared_conf + "SchedulerParameters=sched_min_interval=900000\n");
    Jobs halves = jobs;
    halves[1].service_time = 100.5;  // within a second no pass waits
    CHECK(starts_of("slurm", given, 8, halves)[3] == 100.5);
}

// Job 0 ends at 100 s, and its node is clear at 109 s; job 1 comes at 101 s.
TEST_CASE("CompleteWait keeps passes from starting while nodes clear up [job_is_completing]") {
    Parameters given = with("conf", shared_conf);
    given.set("node_free_after_s", 9.0);
    const Jobs jobs{job(0, 100, 4, 5), job(101, 50, 1, 5)};
    CHECK(starts_of("slurm", given, 8, jobs)[1] == 101);
    given.set("conf", shared_conf + "CompleteWait=7\n");
    CHECK(starts_of("slurm", given, 8, jobs)[1] == 109);
}

// Job 0 has both nodes until 31 s. Job 1, of the higher tier, comes at 25 s, when no main pass is
// near, and the backfill pass of second 31, ahead of what else happens in it, sends job 0 away:
// which has ended, and is not put back into the queue.
TEST_CASE("a job that ends in the second in which a backfill pass sends it away has ended") {
    Parameters given = with(
        "conf",
        "NodeName=n[1-2] CPUs=4\n"
        "PreemptType=preempt/partition_prio\n"
        "PreemptMode=REQUEUE\n"
        "SchedulerParameters=batch_sched_delay=1000\n"
        "PartitionName=low Nodes=ALL OverSubscribe=EXCLUSIVE PreemptMode=REQUEUE\n"
        "PartitionName=high Nodes=ALL OverSubscribe=EXCLUSIVE PreemptMode=OFF PriorityTier=2\n"
    );
    given.set("backfill_first", true);
    std::vector<SubmittedRequest> asked(2);
    asked[0].partition = "low";
    asked[1].partition = "high";
    Jobs jobs{job(0, 31, 8, 5), job(25, 10, 8, 5)};
    jobs[0].request = &asked[0];
    jobs[1].request = &asked[1];
    Times starts = starts_of("slurm", given, 8, jobs);
    CHECK(starts[0] == 0);
    CHECK(starts[1] == 31);
    jobs[0].service_time = 33;  // sent away, and again from its beginning
    starts = starts_of("slurm", given, 8, jobs);
    CHECK(starts[1] == 31);
}

// Of sched/builtin nothing but a full pass sees that a held job has become eligible.
TEST_CASE("full passes come every minute from their phase on") {
    SubmittedRequest held;
    held.held_s = 1000;
    Jobs jobs{job(0, 10, 1, 5)};
    jobs[0].request = &held;
    Parameters given = with("changes", "SchedulerType=sched/builtin");
    CHECK(starts_of("slurm", given, 4, jobs) == Times{1020});
    given.set("phase_s", 7.0);
    CHECK(starts_of("slurm", given, 4, jobs) == Times{1027});
}

// The second task of an array of which one may run at once has a free node, but no pass.
TEST_CASE("the pass after a job's end comes when its nodes are clear") {
    SubmittedRequest asked;
    asked.array = 17;
    asked.array_limit = 1;
    Jobs jobs(2, job(0, 100, 1, 5));
    jobs[0].request = jobs[1].request = &asked;
    Parameters given = with("conf", shared_conf);
    CHECK(starts_of("slurm", given, 8, jobs) == Times{0, 100});
    given.set("node_free_after_s", 4.0);
    CHECK(starts_of("slurm", given, 8, jobs) == Times{0, 104});
}

// Job 0 is sent away at 30 s, is eligible again at 151 and starts in the full pass of second 180,
// for all its 70 s. Job 2, which came later, is behind it, though it would have waited less.
TEST_CASE("a job that was sent away comes back after two minutes with all its service to do") {
    std::vector<SubmittedRequest> asked(2);
    asked[0].partition = "low";
    asked[1].partition = "high";
    Jobs jobs{job(0, 70, 8, 5), job(25, 10, 8, 5), job(160, 15, 8, 5)};
    jobs[0].request = jobs[2].request = &asked[0];
    jobs[1].request = &asked[1];
    Parameters given = with(
        "conf",
        "NodeName=n[1-2] CPUs=4\n"
        "PreemptType=preempt/partition_prio\n"
        "PreemptMode=REQUEUE\n"
        "SchedulerParameters=batch_sched_delay=1000\n"
        "PartitionName=low Nodes=ALL OverSubscribe=EXCLUSIVE PreemptMode=REQUEUE\n"
        "PartitionName=high Nodes=ALL OverSubscribe=EXCLUSIVE PreemptMode=OFF PriorityTier=2\n"
    );
    CHECK(starts_of("slurm", given, 8, jobs) == Times{0, 30, 250});
}

// Ann's job has ended when usage is first reckoned, at 300 s; cy's keeps the machine until 400.
TEST_CASE("what a job used until its end counts against its user") {
    std::vector<SubmittedRequest> asked(3);
    asked[0].user = "ann";
    asked[1].user = "bob";
    asked[2].user = "cy";
    Jobs jobs{job(0, 90, 8, 5), job(100, 300, 8, 7), job(120, 20, 8, 5), job(130, 40, 8, 5)};
    jobs[0].request = jobs[2].request = &asked[0];
    jobs[1].request = &asked[2];
    jobs[3].request = &asked[1];
    Parameters given = with(
        "conf",
        shared_conf
            + "PriorityType=priority/multifactor\nPriorityWeightFairshare=1000\n"
              "PriorityCalcPeriod=5\n"
    );
    given.set(
        "associations",
        "Account|User|ParentName|Share\nroot|||1\nroot|ann||1\nroot|bob||1\nroot|cy||1\n"
    );
    CHECK(starts_of("slurm", given, 8, jobs) == Times{0, 100, 440, 400});
}

}  // namespace schedfarm::tests
