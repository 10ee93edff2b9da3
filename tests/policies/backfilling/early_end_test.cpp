// Queues that grow beyond their limit under every way of simulating the policies: by hand, and in
// an endless overload.
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/hash.hpp"

#include "tests/policies/cells.hpp"

namespace schedfarm::tests {

namespace {

using Jobs = std::vector<GivenJob>;

/// A job of 1 processor and 2 units of time comes in every unit of time, for ever.
class EndlessOverload final : public WorkloadModel {
  public:
    EndlessOverload() { traits_.max_size = 1; }

    const WorkloadTraits& traits() const override { return traits_; }

    void next(JobBlock& block) override {
        block.first_index += block.count;
        block.count = 100;
        block.submit_time.resize(block.count);
        for (std::size_t i = 0; i < block.count; ++i) {
            block.submit_time[i] = static_cast<double>(block.first_index + i);
        }
        block.service_time.assign(block.count, 2);
        block.size.assign(block.count, 1);
    }

  private:
    WorkloadTraits traits_;
};

TestCell cell_of(Jobs jobs, std::uint64_t limit, ExperimentKind kind = ExperimentKind::open) {
    TestCell cell;
    cell.system.clusters = {1};
    cell.experiment.kind = kind;
    cell.experiment.horizon.jobs = jobs.size();
    cell.experiment.horizon.queue_limit = limit;
    cell.jobs = std::move(jobs);
    return cell;
}

/// What every way of simulating fcfs and fpfs makes of a cell; they agree.
std::optional<QueueOverflow> overflow_of(const TestCell& cell) {
    const Observations observed = run_general({policy_named("fcfs"), {}}, cell);
    for (const char* name : {"fcfs", "fpfs"}) {
        const PolicyUnderTest policy(policy_named(name), {});
        CHECK(run_general(policy, cell).overflow == observed.overflow);
        const Observations again = run_specialised(policy, cell).value();
        CHECK(again.overflow == observed.overflow);
        CHECK(again.fingerprint == observed.fingerprint);
        CHECK(again.jobs == observed.jobs);
        CHECK(again.events == observed.events);
        CHECK(again.values.size() == observed.values.size());
    }
    return observed.overflow;
}

}  // namespace

TEST_CASE("both ways end when more jobs wait than the limit") {
    // Job 0 runs from 0 to 10; at 1 one job waits, at 2 two do.
    const Jobs jobs = {{0, 10, {1}}, {1, 10, {1}}, {2, 10, {1}}};
    CHECK(overflow_of(cell_of(jobs, 1)) == QueueOverflow{.time = 2, .jobs_submitted = 3});
    CHECK(!overflow_of(cell_of(jobs, 2)));
    CHECK(!overflow_of(cell_of(jobs, 3)));
    CHECK(!overflow_of(cell_of(jobs, 0)));
    CHECK(overflow_of(cell_of(jobs, 1, ExperimentKind::trace)).has_value());
}

TEST_CASE("both ways count all jobs of the last instant over the ends of blocks") {
    // Blocks hold 3 jobs; jobs 1 … 6 come at 1, job 7 at 2 is not seen.
    Jobs jobs = {{0, 10, {1}}};
    jobs.insert(jobs.end(), 6, {1, 1, {1}});
    jobs.push_back({2, 1, {1}});
    const QueueOverflow expected{.time = 1, .jobs_submitted = 7};
    CHECK(overflow_of(cell_of(jobs, 1)) == expected);
    CHECK(overflow_of(cell_of(jobs, 5)) == expected);
    // With the job at 2 there are 7 that wait.
    CHECK(overflow_of(cell_of(jobs, 6)) == QueueOverflow{.time = 2, .jobs_submitted = 8});
    // The horizon ends within the instant, and no more come.
    TestCell cell = cell_of(jobs, 2, ExperimentKind::trace);
    cell.experiment.horizon.jobs = 5;
    CHECK(overflow_of(cell) == QueueOverflow{.time = 1, .jobs_submitted = 5});
}

TEST_CASE("both ways let the batches of an instant pass before they look") {
    // At 5 job 0 ends, jobs 3 and 4 come, and jobs 1 and 2, which have no service, start and end in
    // batches of their own: 3, 2 and then 1 wait.
    const Jobs jobs = {{0, 5, {1}}, {1, 0, {1}}, {2, 0, {1}}, {5, 4, {1}}, {5, 4, {1}}};
    CHECK(!overflow_of(cell_of(jobs, 2)));
    CHECK(overflow_of(cell_of(jobs, 1)) == QueueOverflow{.time = 2, .jobs_submitted = 3});
}

TEST_CASE("an endless overload ends in memory for its queue alone") {
    // Starts at 0, 2, 4, …: at t, t + 1 jobs have come and t/2 + 1, rounded down, have started.
    // More than L wait for the first time at t = 2L + 1, when 2L + 2 have come. The horizon would
    // never be reached, and is larger than any memory.
    for (const std::uint64_t limit : {1U, 2U, 49U, 50U, 1000U}) {
        TestCell cell = cell_of({}, limit);
        cell.experiment.horizon.jobs = 1'000'000'000'000'000;
        cell.experiment.horizon.warm_up_jobs = 1'000'000;
        const double time = 2 * static_cast<double>(limit) + 1;
        const QueueOverflow expected{.time = time, .jobs_submitted = 2 * limit + 2};
        for (const char* name : {"fcfs", "fpfs"}) {
            const PolicyDescription& description = *policies::find_policy(name);
            const PolicyUnderTest policy(description, {});
            const SimulationSetup setup{
                .system = cell.system,
                .experiment = cell.experiment,
                .probes = cell.probes,
                .policy_traits = description.traits(policy.parameters)};
            EndlessOverload first;
            const auto fast = description.specialised_simulator(policy.parameters, setup, first);
            CHECK(fast.value().overflow == expected);
            EndlessOverload second;
            const auto scheduler =
                description.make(policy.parameters, {cell.system, Stream(1, Purpose::policy, 0)});
            CHECK(simulate(setup, second, *scheduler).overflow == expected);
        }
    }
}

}  // namespace schedfarm::tests
