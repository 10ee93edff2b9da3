// Gang scheduling by a matrix, by hand and against a second-by-second reference: slices of 10 s and
// c = 1 on 4 processors where nothing else is said.
#include "policies/gang/matrix_gang.hpp"

#include <vector>

#include <doctest/doctest.h>

#include "tests/policies/gang/gang_cells.hpp"
#include "tests/policies/gang/plain_matrix.hpp"

namespace schedfarm::tests {

namespace {

using PlainJobs = std::vector<PlainJob>;

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

Times matrix(const PlainJobs& jobs, const PlainPacking& how = {}, std::uint32_t processors = 4) {
    return gang_completions(
        {policy_named("matrix_gang"), matrix_parameters(how, 1)}, processors, jobs
    );
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

// Slot 1 at 0: 1–10 (9 of 12). Slot 2 at 10: 11–16, where it vanishes. Slot 1 at 16: 17–20.
TEST_CASE("slots of the matrix take turns") {
    CHECK(matrix({plain_job(0, 4, 12), plain_job(0, 4, 5)}) == Times{20, 16});
}

// Job 1 does not fit beside job 0; job 2 does, on 2–3. Slot 1 at 0: job 0 9 of 12, job 2 1–6. Slot
// 2 at 10: 11–20. Slot 1 at 20: 21–24.
TEST_CASE("a job goes to the first slot with enough idle processors") {
    CHECK(
        matrix({plain_job(0, 2, 12), plain_job(0, 3, 9), plain_job(0, 2, 5)}) == Times{24, 20, 6}
    );
}

// Slot 1 has job 0 and two processors idle, slot 2 job 1 and one. First fit: job 2 in slot 1, 1–6.
// Best fit: in slot 2, which comes at 10: 11–16. Job 0: 1–10, 21–24; job 1: 11–20, 25–28.
TEST_CASE("best fit takes the fullest slot") {
    const PlainJobs jobs = {plain_job(0, 2, 12), plain_job(0, 3, 12), plain_job(0, 1, 5)};
    PlainPacking how{.alternatives = false};
    CHECK(matrix(jobs, how) == Times{24, 28, 6});
    how.packing = "best_fit";
    CHECK(matrix(jobs, how) == Times{24, 28, 16});
}

// Slot 1: jobs 0 and 1 on 0–1 and 2–3; slot 2: jobs 2 and 3 on the same. At 4 job 1 has finished
// and job 3, whose turn is later, takes 2–3: 4–10 (6 of 12). Slot 2 at 10: job 2 9 of 12, job 3
// 11–17. Slot 1 at 20: job 0 18 of 20. Slot 2 at 30: job 2 31–34. Slot 1: 35–37.
// Without: slot 2 at 10: both 9 of 12; at 30: both 31–34.
TEST_CASE("with alternative scheduling a job runs in other slots too") {
    const PlainJobs jobs = {
        plain_job(0, 2, 20), plain_job(0, 2, 3), plain_job(0, 2, 12), plain_job(0, 2, 12)};
    CHECK(matrix(jobs) == Times{37, 4, 34, 17});
    CHECK(matrix(jobs, {.alternatives = false}) == Times{37, 4, 34, 34});
}

// Slot 1: jobs 0 and 1 on 0–1 and 2–3; slot 2: job 2 on 0–1. Job 0 ends at 4. Unified: job 2 works
// from 4 on and both in each slice: job 1 9, 18, 20 of 20 at 23; job 2 6, 15, 20 at 26. Without,
// but with alternatives, the same until 23, where slot 1 is over and job 2 has 17; slot 2: 24–27.
// Without either: job 1 9 at 10, 18 at 30, 41–43; job 2 9 at 20, 18 at 40, 44–46.
TEST_CASE("slots that do not meet become one when a job has left") {
    const PlainJobs jobs = {plain_job(0, 2, 3), plain_job(0, 2, 20), plain_job(0, 2, 20)};
    CHECK(matrix(jobs) == Times{4, 23, 26});
    CHECK(matrix(jobs, {.unifies = false}) == Times{4, 23, 27});
    CHECK(matrix(jobs, {.unifies = false, .alternatives = false}) == Times{4, 43, 46});
}

// Job 1 does not fit beside job 0, and job 2 does not overtake it. At 6 the slot is gone and a new
// one has both: 7–12 and 7–10.
TEST_CASE("where slots are limited jobs wait first come first served") {
    const PlainJobs jobs = {plain_job(0, 3, 5), plain_job(0, 2, 5), plain_job(0, 1, 3)};
    CHECK(matrix(jobs, {.slots = 1}) == Times{6, 12, 10});
}

// Left-right: jobs 0 and 3 on 0 and 1, jobs 1 and 2 on 2–3 of slots 1 and 2. Job 1 ends at 4, the
// slots become one and job 2 works 4–10, 11–17; jobs 0 and 3 9 of 12, 11–14.
// First fit: job 1 on 1–2, job 2 on 0–1 of slot 2, job 3 on 3. At 4 nothing can be put together.
// Slot 2 at 10: job 2 9 of 12, job 3 11–14. Slot 1 at 20: job 0 21–24. Slot 2: 25–28.
TEST_CASE("small jobs from the left and large ones from the right leave slots to be unified") {
    const PlainJobs jobs = {
        plain_job(0, 1, 12), plain_job(0, 2, 3), plain_job(0, 2, 12), plain_job(0, 1, 12)};
    CHECK(matrix(jobs, {.packing = "left_right", .largest_small = 1}) == Times{14, 4, 17, 14});
    CHECK(matrix(jobs) == Times{24, 4, 28, 14});
}

// 6 processors. Buddy: job 0 has the node 0–3, job 1 4–5; job 2 finds no node and has 0 in slot 2:
// 7–11. First fit: it has 5 in slot 1.
TEST_CASE("a job on a buddy node has all of it") {
    const PlainJobs jobs = {plain_job(0, 3, 5), plain_job(0, 2, 5), plain_job(0, 1, 4)};
    CHECK(matrix(jobs, {.packing = "buddy"}, 6) == Times{6, 6, 11});
    CHECK(matrix(jobs, {}, 6) == Times{6, 6, 5});
}

// Job 1 comes at 3 into slot 1 while its slice runs: 3–8, nothing to pay. Job 2 opens slot 2.
TEST_CASE("a job that is placed in the slot whose turn it is runs at once") {
    CHECK(matrix({plain_job(0, 2, 9), plain_job(3, 2, 5), plain_job(3, 4, 2)}) == Times{10, 8, 13});
}

// Slot 1 alone until 10: 1–10 (9), then nothing to pay: 10–20 (19), 20–21. With job 1 from 12 on:
// 10–20, slot 2: 21–24, slot 1: 25–26.
TEST_CASE("where only a change of slots is paid a lone slot goes on for nothing") {
    const PlainPacking how{.pays_changes_only = true};
    CHECK(matrix({plain_job(0, 4, 20)}, how) == Times{21});
    CHECK(matrix({plain_job(0, 4, 20), plain_job(12, 4, 3)}, how) == Times{26, 24});
}

// Slot 1 at 0: 1–11 (10 of 12). Slot 2 at 11: 12–16. Slot 1: 17–19.
TEST_CASE("a switch outside the slice makes it longer") {
    CHECK(
        matrix({plain_job(0, 4, 12), plain_job(0, 4, 4)}, {.pays_outside = true}) == Times{19, 16}
    );
}

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
