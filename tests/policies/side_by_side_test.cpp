// Replications simulated side by side against each of them alone and on the general kernel, to the
// bit, over random cells: in groups of every size, with jobs, blocks and ends of their own. Names
// no policy.
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include <doctest/doctest.h>

#include "engine/simulation/logs/job_log.hpp"

#include "tests/policies/contract_cells.hpp"
#include "tests/support/long_form.hpp"

namespace schedfarm::tests {

namespace {

/// Cells that differ in their jobs, in blocks and in how many jobs are counted.
std::vector<TestCell> replications_like(Dice& dice, const TestCell& cell, std::uint32_t count) {
    std::vector<TestCell> cells(count, cell);
    for (TestCell& own : cells) {
        own.block_size = 1 + dice.below(40);
        for (GivenJob& job : own.jobs) {
            const std::vector<GivenJob>& others = cell.jobs;
            const GivenJob& other = others[dice.below(static_cast<std::uint32_t>(others.size()))];
            job.components = other.components;
            job.service_time = other.service_time;
            job.job_class = other.job_class;
        }
        Horizon& horizon = own.experiment.horizon;
        const auto spare = static_cast<std::uint32_t>(horizon.jobs - horizon.warm_up_jobs);
        horizon.jobs -= dice.below(2) == 0 ? 0 : dice.below(spare);
        own.complete();
    }
    return cells;
}

/// What the simulators of a policy get for these cells, each with a log of its own.
struct Replicas {
    Replicas(const PolicyUnderTest& policy, const std::vector<TestCell>& cells) {
        for (const TestCell& cell : cells) {
            workloads.push_back(cell.workload());
            SimulationSetup& setup = setups.emplace_back(SimulationSetup{
                .system = cell.system,
                .experiment = cell.experiment,
                .probes = cell.probes,
                .policy_traits = policy.description->traits(policy.parameters)});
            setup.probes.job_log = &logs.emplace_back();
            replicas.push_back({setup, *workloads.back()});
        }
    }

    std::vector<std::unique_ptr<WorkloadModel>> workloads;
    std::deque<SimulationSetup> setups;
    std::deque<JobLog> logs;
    std::vector<Replica> replicas;
};

struct GroupComparisons {
    std::uint64_t replications = 0;
    std::uint64_t overflows = 0;
};

void compare_group(
    const PolicyUnderTest& policy, const std::vector<TestCell>& cells, GroupComparisons& done
) {
    const auto& group = *policy.description->group_simulator;
    Replicas together(policy, cells);
    Replicas alone(policy, cells);
    if (!group.applies(cells.front().system, *together.workloads.front())) {
        return;
    }
    const std::vector<Observations> observed = group.simulate(together.replicas);
    REQUIRE(observed.size() == cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
        CAPTURE(i);
        const auto expected = policy.description->specialised_simulator(
            policy.parameters, alone.setups[i], *alone.workloads[i]
        );
        REQUIRE(are_same(observed[i], expected.value()));
        REQUIRE(are_same(observed[i], run_general(policy, cells[i])));
        REQUIRE(same_bits(together.logs[i].start, alone.logs[i].start));
        REQUIRE(same_bits(together.logs[i].finish, alone.logs[i].finish));
        ++done.replications;
        done.overflows += observed[i].overflow ? 1U : 0U;
    }
}

}  // namespace

TEST_CASE("replications side by side give the same bits as each of them alone") {
    GroupComparisons done;
    for (const PolicyDescription& description : policies_under_test()) {
        if (!description.group_simulator) {
            continue;
        }
        for (const ExperimentKind kind : kinds) {
            for (const RequestStructure structure : structures) {
                for (std::uint64_t seed = 0; seed < short_or_long(30U, 300U); ++seed) {
                    CAPTURE(description.alternative.name);
                    CAPTURE(kind.name());
                    CAPTURE(seed);
                    Dice dice(seed);
                    TestCell cell = random_cell(dice, kind, structure, 200);
                    cell.experiment.horizon.queue_limit =
                        dice.below(2) == 0 ? 0 : 2 + dice.below(60);
                    cell.experiment.series_bins = dice.below(2) == 0 ? 0 : 20;
                    const std::uint32_t size = 1 + dice.below(20);
                    const PolicyUnderTest policy(description, {});
                    compare_group(policy, replications_like(dice, cell, size), done);
                }
            }
        }
    }
    CHECK(done.replications > 800);
    CHECK(done.overflows > 20);
}

}  // namespace schedfarm::tests
