// Random small cells for gang scheduling, under the base reading and under any, and comparisons of
// their completions with those of a second-by-second reference.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "tests/policies/gang/gang_runs.hpp"

namespace schedfarm::tests {

inline int below(Dice& dice, int n) {
    return static_cast<int>(dice.below(static_cast<std::uint32_t>(n)));
}

/// Jobs and a cycle that is long enough for its switches.
struct GangCell {
    PlainCycle cycle;
    int rows = 1;
    std::vector<PlainJob> jobs;
};

/// Small, with many ties; processor counts that are no powers of two too.
inline GangCell random_gang_cell(Dice& dice) {
    GangCell cell;
    cell.cycle.processors = 1 + below(dice, dice.below(3) == 0 ? 80 : 16);
    while ((1 << (cell.rows - 1)) < cell.cycle.processors) {
        ++cell.rows;
    }
    cell.cycle.cost = below(dice, 4);
    cell.cycle.cycle = cell.rows * (cell.cycle.cost + 1) + below(dice, 60);
    const int jobs = 1 + below(dice, 25);
    const int spread = 1 + below(dice, 12);
    const int longest = 1 + below(dice, 30);
    const bool is_small = below(dice, 2) == 0;
    int submit = below(dice, 5);
    for (int i = 0; i < jobs; ++i) {
        const int size = 1 + below(dice, cell.cycle.processors);
        cell.jobs.push_back(
            plain_job(submit, is_small ? 1 + below(dice, size) : size, 1 + below(dice, longest))
        );
        submit += below(dice, spread);
    }
    return cell;
}

/// Every class at least once, some more often, in any order.
inline std::vector<PlainSlice> random_slices(Dice& dice, int rows, int shortest) {
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
inline GangCell random_reading(Dice& dice) {
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
    cell.cycle.root_first = below(dice, 2) == 0;
    return cell;
}

/// Random cells of one kind, so many, one after the other.
template <typename Make, typename Check>
void for_random(std::uint64_t cells, const Make& make, const Check& check) {
    for (std::uint64_t seed = 0; seed < cells; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        check(make(dice));
    }
}

inline Times completions(
    const GangCell& cell, const char* name, const char* word, const char* value, int factor = 1
) {
    return gang_completions(
        gang_policy(name, cell.cycle, word, value, factor),
        static_cast<std::uint32_t>(cell.cycle.processors),
        cell.jobs,
        factor
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

/// The policy completes everything twice as late when all times are doubled. An uneven cycle gives
/// its odd seconds to the first slices, so that only even ones are doubled.
inline void expect_doubled(GangCell cell, const char* name, const char* word, const char* value) {
    if (cell.cycle.slices.empty()) {
        cell.cycle.cycle -= cell.cycle.cycle % cell.rows;
    }
    Times once = completions(cell, name, word, value);
    for (double& time : once) {
        time *= 2;
    }
    REQUIRE(once == completions(cell, name, word, value, 2));
}

}  // namespace schedfarm::tests
