// The gang scheduling policies against the second-by-second reference over random workloads, under
// all verifiers; and with all times doubled.
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "tests/policies/gang_runs.hpp"

namespace schedfarm::tests {

namespace {

struct GangCell {
    PlainCycle cycle;
    int rows = 1;
    std::vector<PlainJob> jobs;
};

GangCell random_gang_cell(Dice& dice) {
    const auto below = [&dice](int n) {
        return static_cast<int>(dice.below(static_cast<std::uint32_t>(n)));
    };
    GangCell cell;
    cell.cycle.processors = 1 + below(dice.below(3) == 0 ? 80 : 16);
    while ((1 << (cell.rows - 1)) < cell.cycle.processors) {
        ++cell.rows;
    }
    cell.cycle.cost = below(4);
    cell.cycle.cycle = cell.rows * (cell.cycle.cost + 1) + below(60);
    const int jobs = 1 + below(25);
    const int spread = 1 + below(12);
    const int longest = 1 + below(30);
    const bool is_small = below(2) == 0;
    int submit = below(5);
    for (int i = 0; i < jobs; ++i) {
        const int size = 1 + below(cell.cycle.processors);
        cell.jobs.push_back(plain_job(submit, is_small ? 1 + below(size) : size, 1 + below(longest))
        );
        submit += below(spread);
    }
    return cell;
}

Times completions(const GangCell& cell, const char* name, const char* word, const char* value) {
    return gang_completions(
        gang_policy(name, cell.cycle.cycle, cell.cycle.cost, word, value),
        static_cast<std::uint32_t>(cell.cycle.processors),
        cell.jobs
    );
}

}  // namespace

TEST_CASE("migration completes every job when the reference does") {
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        const GangCell cell = random_gang_cell(dice);
        REQUIRE(
            completions(cell, "migration_gang", "order", "leaves")
            == PlainMigration(cell.cycle, cell.jobs, true).completions()
        );
        REQUIRE(
            completions(cell, "migration_gang", "order", "root")
            == PlainMigration(cell.cycle, cell.jobs, false).completions()
        );
    }
}

TEST_CASE("vanilla completes every job when the reference does") {
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        const GangCell cell = random_gang_cell(dice);
        REQUIRE(
            completions(cell, "vanilla_gang", "assignment", "first_fit")
            == PlainVanilla(cell.cycle, cell.jobs, false).completions()
        );
        REQUIRE(
            completions(cell, "vanilla_gang", "assignment", "weight")
            == PlainVanilla(cell.cycle, cell.jobs, true).completions()
        );
    }
}

TEST_CASE("push-down completes every job when the reference does") {
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        const GangCell cell = random_gang_cell(dice);
        REQUIRE(
            completions(cell, "push_down_gang", "assignment", "first_fit")
            == PlainPushDown(cell.cycle, cell.jobs, false).completions()
        );
        REQUIRE(
            completions(cell, "push_down_gang", "assignment", "weight")
            == PlainPushDown(cell.cycle, cell.jobs, true).completions()
        );
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
            parameters.set("switch_cost_s", cell.cycle.cost);
            Parameters doubled;
            doubled.set("timeplexing_cycle_s", 2 * cell.cycle.cycle);
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

}  // namespace schedfarm::tests
