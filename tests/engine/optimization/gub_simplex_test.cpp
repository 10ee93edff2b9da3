#include "engine/optimization/gub_simplex.hpp"

#include <limits>
#include <random>

#include <doctest/doctest.h>

#include "engine/foundation/expect.hpp"
#include "engine/optimization/dual_approximation.hpp"
#include "engine/optimization/greedy_assignment.hpp"
#include "engine/optimization/minsum_bound.hpp"

#include "tests/engine/optimization/instances.hpp"

namespace schedfarm::engine {

namespace {

/// Two tasks of areas 2 and 1, two intervals, room for 2 in the first, costs (0, 6) and (0, 4).
NestedAssignment two_tasks() {
    return {2, 2, {0, 0, 6, 4}, {2, 1, 2, 1}, {2}};
}

/// Bounds are rounded down.
doctest::Approx nearly(double value) {
    return doctest::Approx(value).epsilon(1e-14);
}

void check_solution(const NestedAssignment& problem) {
    const AssignmentSolution solution = solve(problem);
    CHECK(solution.shares.size() <= problem.tasks + problem.rows());
    CHECK(solution.bound == proven_bound(problem, solution.prices));
    CHECK(solution.cost == primal_check(problem, solution.shares).cost);
    CHECK(solution.cost == doctest::Approx(solution.bound).epsilon(1e-9));
    std::vector<AssignedShare> start;
    for (const std::uint32_t interval : greedy_assignment(problem)) {
        const auto task = static_cast<std::uint32_t>(start.size());
        start.push_back({task, interval, 1});
    }
    CHECK(primal_check(problem, start).violation <= 1e-12);
    CHECK(primal_check(problem, start).cost >= solution.bound * (1 - 1e-9));
}

}  // namespace

TEST_CASE("a task is split where the first interval is full") {
    // Putting off the first costs 3 per area, the second 4: the second goes first, then half of
    // the first: 6 / 2 = 3. The price of area there is 3, later 0:
    // min(0 + 2 · 3, 6) + min(0 + 3, 4) − 2 · 3 = 6 + 3 − 6 = 3.
    const AssignmentSolution solution = solve(two_tasks());
    CHECK(solution.cost == 3);
    CHECK(solution.bound == nearly(3));
    CHECK(solution.bound < 3);
    CHECK(solution.prices == std::vector<double>{3, 0});
}

TEST_CASE("any prices prove a bound and wrong ones are refused") {
    // 2 + 1 − 2 = 1 with a price of 1; 6 + 4 − 20 = −10 with 10.
    // Less the margin: (2 tasks + 1 row + 2) epsilon of 3 + 2 and of 10 + 20.
    const double epsilon = std::numeric_limits<double>::epsilon();
    CHECK(proven_bound(two_tasks(), std::vector<double>{1, 0}) == 1 - 25 * epsilon);
    CHECK(
        proven_bound(two_tasks(), std::vector<double>{10, 0})
        == doctest::Approx(-10 - 150 * epsilon).epsilon(2 * epsilon)
    );
    CHECK(proven_bound(two_tasks(), std::vector<double>{0, 0}) == 0);
    CHECK_THROWS_AS(proven_bound(two_tasks(), std::vector<double>{-1, 0}), ContractViolation);
    CHECK_THROWS_AS(proven_bound(two_tasks(), std::vector<double>{1, 1}), ContractViolation);
    CHECK_THROWS_AS(proven_bound(two_tasks(), std::vector<double>{1}), ContractViolation);
}

TEST_CASE("the check of shares sees every broken constraint") {
    const NestedAssignment problem = two_tasks();
    using Shares = std::vector<AssignedShare>;
    CHECK(primal_check(problem, Shares{{0, 1, 1}, {1, 0, 1}}).violation == 0);
    CHECK(primal_check(problem, Shares{{0, 1, 1}, {1, 0, 1}}).cost == 6);
    CHECK(primal_check(problem, Shares{{0, 0, 1}, {1, 0, 1}}).violation == 0.5);
    CHECK(primal_check(problem, Shares{{0, 1, 1}}).violation == 1);
    CHECK(primal_check(problem, Shares{{0, 1, 2}, {0, 0, -1}, {1, 1, 1}}).violation == 1);
}

TEST_CASE("what an interval cannot hold is put off where that costs least per area") {
    // Both in the first: 3 of 2. Putting off the first task costs 3 per area, the second 4: half of
    // the first goes.
    const NestedAssignment problem = two_tasks();
    const std::vector<AssignedShare> shares{{0, 0, 1}, {1, 0, 1}};
    const PrimalCheck check = primal_check(problem, put_off(problem, shares));
    CHECK(check.violation == 0);
    CHECK(check.cost == 3);
    // What is there already grows, what fits stays.
    const std::vector<AssignedShare> split{{0, 1, 0.25}, {0, 0, 0.75}, {1, 0, 1}};
    const std::vector<AssignedShare> result = put_off(problem, split);
    CHECK(result.size() == 3);
    CHECK(primal_check(problem, result).cost == 3);
    CHECK(put_off(problem, result).size() == 3);
    CHECK(primal_check(problem, put_off(problem, result)).cost == 3);
    // Less than nothing is nothing: 1.25 and −0.25 of the first task are all of it.
    const std::vector<AssignedShare> negative{{0, 0, 1.25}, {0, 1, -0.25}, {1, 0, 1}};
    CHECK(primal_check(problem, put_off(problem, negative)).violation == 0);
    CHECK(primal_check(problem, put_off(problem, negative)).cost == 3);
}

TEST_CASE("tasks of which some are shorter than the rounding of others have a bound") {
    std::mt19937_64 random(11);
    for (const double unit : {1e-9, 1e-12, 1e-15, 1e-30}) {
        CAPTURE(unit);
        for (int repetition = 0; repetition < 60; ++repetition) {
            testing::OwnedInstance owned = testing::random_instance(
                testing::Family::mixed, 15, testing::integer(random, 1, 8), random
            );
            for (std::vector<double>& times : owned.times) {
                const double factor = testing::integer(random, 0, 1) == 1 ? unit : 1;
                for (double& time : times) {
                    time *= factor;
                }
            }
            const MoldableInstance instance = owned.view();
            const double makespan = dual_approximation(instance).lambda;
            const MinsumSettings settings{MinsumProgram::refined, 4};
            const MinsumBound bound = minsum_bound(instance, makespan, settings);
            const NestedAssignment problem = minsum_program(instance, makespan, settings).problem;
            CHECK(primal_check(problem, bound.solution.shares).violation <= 1e-9);
            CHECK(bound.value >= bound.solution.cost * (1 - 1e-9));
        }
    }
}

TEST_CASE("programs without rows or with one task or equal tasks are solved") {
    // No row: each task at its cheapest, 1 + 2.
    CHECK(solve({2, 2, {1, 5, 4, 2}, {1, 1, 1, 1}, {}}).bound == nearly(3));
    // One task of area 4 where 1 has room at no cost: three quarters at 8.
    CHECK(solve({1, 2, {0, 8}, {4, 4}, {1}}).bound == nearly(6));
    // Six equal tasks of area 1 and room for 2 more in every interval: 2 · (0 + 1 + 2).
    NestedAssignment equal{6, 3, {}, std::vector<double>(18, 1), {2, 4, 6}};
    for (std::size_t j = 0; j < 3; ++j) {
        equal.costs.insert(equal.costs.end(), 6, static_cast<double>(j));
    }
    CHECK(solve(equal).bound == nearly(6));
}

TEST_CASE("a greedy start leaves the last interval room for the rest") {
    // Early a task takes 8, late 5, and 10 is there for all: either task early leaves too little
    // for the other, so that both stay late at a cost of 1 each.
    const NestedAssignment problem{2, 2, {0, 0, 1, 1}, {8, 8, 5, 5}, {10, 10}};
    CHECK(greedy_assignment(problem) == std::vector<std::uint32_t>{1, 1});
    CHECK(solve(problem).bound == nearly(2));
}

TEST_CASE("solutions are vertices whose prices prove them and greedy starts keep the constraints") {
    std::mt19937_64 random(7);
    for (int repetition = 0; repetition < 100; ++repetition) {
        for (const testing::Family family : testing::monotone_families) {
            const testing::OwnedInstance owned = random_instance(
                family, testing::integer(random, 1, 80), testing::integer(random, 1, 60), random
            );
            const MoldableInstance instance = owned.view();
            const double makespan = dual_approximation(instance).lambda;
            for (const MinsumProgram kind : {MinsumProgram::printed, MinsumProgram::refined}) {
                const NestedAssignment problem = minsum_program(instance, makespan, {kind}).problem;
                check_solution(problem);
            }
        }
    }
}

}  // namespace schedfarm::engine
