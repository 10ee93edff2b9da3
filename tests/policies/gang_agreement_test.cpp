// The gang scheduling policies against the second-by-second reference over random workloads, under
// all verifiers; and with all times doubled.
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "tests/policies/gang_runs.hpp"
#include "tests/policies/plain_bound_gang.hpp"
#include "tests/policies/plain_migration_gang.hpp"

namespace schedfarm::tests {

namespace {

int below(Dice& dice, int n) {
    return static_cast<int>(dice.below(static_cast<std::uint32_t>(n)));
}

/// Every class at least once, some more often, in any order.
std::vector<PlainSlice> random_slices(Dice& dice, int rows, int shortest) {
    std::vector<PlainSlice> slices;
    const int count = rows + below(dice, 4);
    for (int i = 0; i < count; ++i) {
        slices.push_back(
            {.row = i < rows ? i : below(dice, rows), .quantum = shortest + below(dice, 20)}
        );
        std::swap(slices.back(), slices[static_cast<std::size_t>(below(dice, i + 1))]);
    }
    return slices;
}

/// Cycles of all kinds.
GangCell random_reading(Dice& dice) {
    GangCell cell = random_gang_cell(dice);
    cell.cycle.only_changes_pay = below(dice, 2) == 0;
    cell.cycle.is_longer_by_costs = below(dice, 2) == 0;
    cell.cycle.refills = below(dice, 2) == 0;
    cell.cycle.starts_at_top = below(dice, 2) == 0;
    const int shortest = cell.cycle.is_longer_by_costs ? 1 : cell.cycle.cost + 1;
    cell.cycle.cycle = cell.rows * shortest + below(dice, 60);
    if (below(dice, 2) == 0) {
        cell.cycle.slices = random_slices(dice, cell.rows, shortest);
        cell.cycle.cycle = 0;
        for (const PlainSlice& slice : cell.cycle.slices) {
            cell.cycle.cycle += slice.quantum;
        }
    }
    return cell;
}

Times completions(
    const GangCell& cell, const char* name, const char* word, const char* value, int factor = 1
) {
    return gang_completions(
        gang_policy(name, cell.cycle, word, value, factor),
        static_cast<std::uint32_t>(cell.cycle.processors),
        cell.jobs,
        factor
    );
}

void expect_migration_as_reference(const GangCell& cell) {
    REQUIRE(
        completions(cell, "migration_gang", "order", "leaves")
        == PlainMigration(cell.cycle, cell.jobs, PlainOrder::leaves).completions()
    );
    REQUIRE(
        completions(cell, "migration_gang", "order", "root")
        == PlainMigration(cell.cycle, cell.jobs, PlainOrder::root).completions()
    );
    REQUIRE(
        completions(cell, "migration_gang", "order", "adaptive")
        == PlainMigration(cell.cycle, cell.jobs, PlainOrder::adaptive).completions()
    );
}

/// `Plain` says the same as the policy, by both assignments.
template <typename Plain>
void expect_as_reference(const char* name, const GangCell& cell) {
    REQUIRE(
        completions(cell, name, "assignment", "first_fit")
        == Plain(cell.cycle, cell.jobs, false).completions()
    );
    REQUIRE(
        completions(cell, name, "assignment", "weight")
        == Plain(cell.cycle, cell.jobs, true).completions()
    );
}

}  // namespace

TEST_CASE("migration completes every job when the reference does") {
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        expect_migration_as_reference(random_gang_cell(dice));
    }
}

TEST_CASE("migration completes every job when the reference does under any reading") {
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        expect_migration_as_reference(random_reading(dice));
    }
}

// Fractions, quanta that change from day to day and limits of the queue; with short slices, which
// the random cells of other tests do not have.
TEST_CASE("migration slice by slice gives the same bits as the general kernel") {
    std::uint64_t overflows = 0;
    for (std::uint64_t seed = 0; seed < 1500; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        GangCell plain = dice.below(2) == 0 ? random_gang_cell(dice) : random_reading(dice);
        plain.cycle.refills = false;
        const std::array<const char*, 3> orders = {"leaves", "root", "adaptive"};
        Parameters parameters =
            gang_policy("migration_gang", plain.cycle, "order", orders.at(dice.below(3)))
                .parameters;
        const bool follows_load = plain.cycle.slices.empty() && dice.below(3) == 0;
        if (follows_load) {
            parameters.set("quanta", "utilization");
            parameters.set(
                "smallest_quantum_s", plain.cycle.is_longer_by_costs ? 1 : plain.cycle.cost + 1
            );
        }
        TestCell cell = gang_cell(
            static_cast<std::uint32_t>(plain.cycle.processors),
            plain.jobs,
            dice.below(2) == 0 ? 1 : 0.7
        );
        for (GivenJob& job : cell.jobs) {
            job.submit_time *= follows_load ? 4000 : 1;
        }
        cell.experiment.horizon.queue_limit = dice.below(3) == 0 ? 1 + dice.below(8) : 0;
        cell.probes = all_probes();
        cell.complete();
        const PolicyUnderTest policy(policy_named("migration_gang"), parameters);
        const Observations general = run_general(policy, cell);
        const auto workload = cell.workload();
        const Observations fast =
            fast_way_of(policy, cell)->run(cell.experiment, cell.probes, *workload);
        REQUIRE(fast.fingerprint == general.fingerprint);
        REQUIRE(fast.overflow == general.overflow);
        REQUIRE(fast.events == general.events);
        REQUIRE(fast.values.size() == general.values.size());
        for (std::size_t i = 0; i < fast.values.size(); ++i) {
            const bool are_both_nan = std::isnan(fast.values[i]) && std::isnan(general.values[i]);
            REQUIRE((are_both_nan || fast.values[i] == general.values[i]));
        }
        overflows += general.overflow ? 1U : 0U;
    }
    CHECK(overflows > 50);
}

TEST_CASE("vanilla and push-down complete every job when the reference does") {
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        GangCell cell = random_gang_cell(dice);
        cell.cycle.refills = true;
        expect_as_reference<PlainVanilla>("vanilla_gang", cell);
        expect_as_reference<PlainPushDown>("push_down_gang", cell);
    }
}

TEST_CASE("vanilla and push-down complete every job when the reference does under any reading") {
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        const GangCell cell = random_reading(dice);
        expect_as_reference<PlainVanilla>("vanilla_gang", cell);
        expect_as_reference<PlainPushDown>("push_down_gang", cell);
    }
}

// An uneven cycle gives its odd seconds to the first rows, so that only even ones can be doubled.
TEST_CASE("doubling all times doubles all completions") {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        GangCell cell = random_gang_cell(dice);
        cell.cycle.cycle -= cell.cycle.cycle % cell.rows;
        for (const PolicyDescription& description : policies::catalogue()) {
            Parameters parameters;
            parameters.set("timeplexing_cycle_s", cell.cycle.cycle);
            parameters.set("slice_s", cell.cycle.cost + 10);
            parameters.set("switch_cost_s", cell.cycle.cost);
            Parameters doubled;
            doubled.set("timeplexing_cycle_s", 2 * cell.cycle.cycle);
            doubled.set("slice_s", 2 * (cell.cycle.cost + 10));
            doubled.set("switch_cost_s", 2 * cell.cycle.cost);
            if (!description.traits(with_defaults(description.alternative.parameters)).preemptive) {
                continue;
            }
            const auto processors = static_cast<std::uint32_t>(cell.cycle.processors);
            Times once = gang_completions({description, parameters}, processors, cell.jobs);
            for (double& time : once) {
                time *= 2;
            }
            REQUIRE(once == gang_completions({description, doubled}, processors, cell.jobs, 2));
        }
    }
}

TEST_CASE("doubling all times doubles all completions under any reading") {
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        GangCell cell = random_reading(dice);
        if (cell.cycle.slices.empty()) {
            cell.cycle.cycle -= cell.cycle.cycle % cell.rows;
        }
        const auto expect_doubled = [&cell](const char* name, const char* word, const char* value) {
            Times once = completions(cell, name, word, value);
            for (double& time : once) {
                time *= 2;
            }
            REQUIRE(once == completions(cell, name, word, value, 2));
        };
        expect_doubled("vanilla_gang", "assignment", "first_fit");
        expect_doubled("push_down_gang", "assignment", "weight");
        expect_doubled("migration_gang", "order", "adaptive");
    }
}

}  // namespace schedfarm::tests
