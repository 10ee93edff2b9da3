// Gang scheduling by a matrix against a second-by-second reference (by hand: tests/cases).
#include "policies/gang/matrix_gang.hpp"

#include <vector>

#include <doctest/doctest.h>

#include "tests/policies/gang/gang_cells.hpp"
#include "tests/policies/gang/plain_matrix.hpp"

namespace schedfarm::tests {

namespace {

Parameters matrix_parameters(const PlainPacking& how, int cost, int factor = 1) {
    Parameters parameters;
    parameters.set("packing", how.packing);
    parameters.set("largest_small_job", how.largest_small);
    parameters.set("slots", how.slots);
    parameters.set("slot_unification", how.unifies);
    parameters.set("alternative_scheduling", how.alternatives);
    parameters.set("switch_paid", how.pays_changes_only ? "row_change" : "every_slice");
    parameters.set("switch_place", how.pays_outside ? "outside" : "inside");
    parameters.set("slice_s", factor * how.slice);
    parameters.set("switch_cost_s", factor * cost);
    return parameters;
}

struct MatrixCell {
    GangCell gang;
    PlainPacking how;
};

MatrixCell random_matrix_cell(Dice& dice) {
    MatrixCell cell;
    cell.gang = random_gang_cell(dice);
    const std::vector<std::string> packings = {"first_fit", "best_fit", "left_right", "buddy"};
    cell.how.packing = packings[dice.below(4)];
    cell.how.largest_small = below(dice, cell.gang.cycle.processors + 1);
    cell.how.slots = below(dice, 2) == 0 ? 0 : 1 + below(dice, 4);
    cell.how.unifies = below(dice, 2) == 0;
    cell.how.alternatives = below(dice, 2) == 0;
    cell.how.pays_changes_only = below(dice, 3) == 0;
    cell.how.pays_outside = below(dice, 3) == 0;
    cell.how.slice = cell.gang.cycle.cost + 1 + below(dice, 25);
    return cell;
}

Times completions(const MatrixCell& cell, int factor = 1) {
    return gang_completions(
        {policy_named("matrix_gang"), matrix_parameters(cell.how, cell.gang.cycle.cost, factor)},
        static_cast<std::uint32_t>(cell.gang.cycle.processors),
        cell.gang.jobs,
        factor
    );
}

}  // namespace

TEST_CASE("the matrix completes every job when the reference does") {
    for (std::uint64_t seed = 0; seed < 4000; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        const MatrixCell cell = random_matrix_cell(dice);
        CAPTURE(cell.how.packing);
        REQUIRE(
            completions(cell)
            == PlainMatrix(cell.gang.cycle, cell.gang.jobs, cell.how).completions()
        );
    }
}

TEST_CASE("the matrix doubles all completions with all times") {
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        const MatrixCell cell = random_matrix_cell(dice);
        Times once = completions(cell);
        for (double& time : once) {
            time *= 2;
        }
        REQUIRE(once == completions(cell, 2));
    }
}

}  // namespace schedfarm::tests
