// The end of an open replication, by hand: jobs keep arriving, uncounted, until every counted job
// has left, wherever later jobs may overtake.
#include "engine/simulation/kernel/run_end.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/expect.hpp"
#include "engine/simulation/logs/job_log.hpp"

#include "tests/policies/cells.hpp"

namespace schedfarm::tests {

namespace {

/// Two counted jobs on one processor: job 0 runs from 0 to 4, job 1 waits from 1 on. Of those that
/// follow, job 2 comes at 2, job 3 at 4.5, job 4 at 7.
TestCell two_of_five(ExperimentKind kind) {
    TestCell cell;
    cell.system.clusters = {1};
    cell.experiment.kind = kind;
    cell.experiment.horizon.jobs = 2;
    cell.jobs = {{0, 4, {1}}, {1, 5, {1}}, {2, 1, {1}}, {4.5, 1, {1}}, {7, 1, {1}}};
    for (const Metric metric :
         {Metric::response_time, Metric::gross_utilization, Metric::queue_length}) {
        cell.probes.requests.push_back({.metric = metric, .quantiles = {}});
    }
    cell.complete();
    return cell;
}

Observations observed(const char* policy, TestCell cell, JobLog& log) {
    cell.probes.job_log = &log;
    return run_general({policy_named(policy), {}}, cell);
}

/// Job 0 comes at 0, job i from 2 on at i − 1; all run for 1.5, so that one at least runs at every
/// instant. Job 1, which comes at 0.5, wants both processors.
class Starvation final : public WorkloadModel {
  public:
    Starvation() { traits_.max_size = 2; }

    const WorkloadTraits& traits() const override { return traits_; }

    void next(JobBlock& block) override {
        block.first_index += block.count;
        block.count = JobBlock::capacity;
        block.submit_time.resize(block.count);
        block.size.resize(block.count);
        for (std::size_t i = 0; i < block.count; ++i) {
            const std::uint64_t index = block.first_index + i;
            block.submit_time[i] =
                index == 1 ? 0.5 : static_cast<double>(index - (index > 0 ? 1 : 0));
            block.size[i] = index == 1 ? 2 : 1;
        }
        block.service_time.assign(block.count, 1.5);
    }

  private:
    WorkloadTraits traits_;
};

}  // namespace

TEST_CASE("later jobs arrive until the counted ones have left, and are in no observation") {
    // Shortest job first: at 4 job 2 starts, at 5 job 3, at 6 job 1, which ends at 11. Responses 4
    // and 10. From 0 to 1, the submissions of the counted jobs, the processor is busy and nobody
    // waits.
    JobLog log;
    const Observations result = observed("sjf", two_of_five(ExperimentKind::open), log);
    CHECK(log.start == std::vector<double>{0, 6});
    CHECK(log.finish == std::vector<double>{4, 11});
    CHECK(result.jobs == 2);
    CHECK(result.events == 4);
    REQUIRE(result.values.size() == 7);
    CHECK(result.values[4] == 7);
    CHECK(result.values[5] == 1);
    CHECK(result.values[6] == 0);
}

TEST_CASE("no job arrives after those of a log, or where none may overtake") {
    for (const char* policy : {"sjf", "fcfs"}) {
        for (const ExperimentKind kind : {ExperimentKind::open, ExperimentKind::trace}) {
            if (std::string(policy) == "sjf" && kind == ExperimentKind::open) {
                continue;
            }
            JobLog log;
            TestCell cell = two_of_five(kind);
            // If job 2 came, too many would wait at 2.
            cell.experiment.horizon.queue_limit = 1;
            CHECK(observed(policy, cell, log).overflow == std::nullopt);
            CHECK(log.start == std::vector<double>{0, 4});
        }
    }
}

TEST_CASE("jobs that came later count among those that wait") {
    // At 2 jobs 1 and 2 do, when 3 have come.
    TestCell cell = two_of_five(ExperimentKind::open);
    cell.experiment.horizon.queue_limit = 1;
    JobLog log;
    const QueueOverflow expected{.time = 2, .jobs_submitted = 3};
    CHECK(observed("sjf", cell, log).overflow == expected);
}

TEST_CASE("a workload that ends after the counted jobs ends the arrivals") {
    TestCell cell = two_of_five(ExperimentKind::open);
    cell.jobs.resize(3);
    JobLog log;
    observed("sjf", cell, log);
    CHECK(log.start == std::vector<double>{0, 5});
    cell.experiment.horizon.jobs = 4;
    CHECK_THROWS_AS(observed("sjf", cell, log), ContractViolation);
}

TEST_CASE("a replication ends when a counted job waits for ever") {
    // Two jobs are counted, and 100,000 more admitted: one more, job 100,002, is too many.
    const std::uint64_t submitted = 2 + 100'000 + 1;
    const QueueOverflow expected{
        .time = static_cast<double>(submitted - 2), .jobs_submitted = submitted};
    Experiment experiment;
    experiment.horizon.jobs = 2;
    CHECK(most_uncounted(experiment.horizon) == 100'000);
    const SystemDescription system{.clusters = {2}};
    for (const char* name : {"sjf", "fpfs"}) {
        const PolicyDescription& description = policy_named(name);
        Parameters given;
        given.set("max_jumps", 1'000'000);
        const PolicyUnderTest policy(description, given);
        Starvation workload;
        const SimulationSetup setup{
            .system = system,
            .experiment = experiment,
            .probes = {},
            .policy_traits = description.traits(policy.parameters)};
        const auto scheduler =
            description.make(policy.parameters, {system, Stream(1, Purpose::policy, 0)});
        CHECK(simulate(setup, workload, *scheduler).overflow == expected);
        CHECK(bool(description.specialised_simulator) == (name == std::string("fpfs")));
        if (description.specialised_simulator) {
            Starvation again;
            const auto fast = description.specialised_simulator(policy.parameters, setup, again);
            CHECK(fast.value().overflow == expected);
        }
    }
}

}  // namespace schedfarm::tests
