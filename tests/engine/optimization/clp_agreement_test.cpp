#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>

#include <doctest/doctest.h>

#include "engine/optimization/dual_approximation.hpp"
#include "engine/optimization/minsum_bound.hpp"

#include "tests/engine/optimization/instances.hpp"

#include "bench/clp_reference.hpp"

namespace schedfarm::engine {

namespace {

using testing::Family;
using testing::OwnedInstance;

void skip_without_clp() {
    if (!bench::clp_is_present()) {
        std::puts("skipped: the build did not find CLP (coinor-libclp-dev) to compare with");
        std::fflush(stdout);
        std::_Exit(77);
    }
}

void check_agreement(const NestedAssignment& problem) {
    const double expected = bench::clp_least_cost(problem);
    const AssignmentSolution solution = solve(problem);
    CHECK(std::abs(solution.bound - expected) <= 1e-9 * expected);
    CHECK(std::abs(solution.cost - expected) <= 1e-9 * expected);
}

/// A nested assignment that comes from no tasks: costs and areas without order, many of them equal,
/// some intervals forbidden. All fits into the last interval.
NestedAssignment random_problem(std::mt19937_64& random) {
    NestedAssignment problem;
    problem.tasks = testing::integer(random, 1, 60);
    problem.intervals = testing::integer(random, 1, 12);
    const bool last_is_limited = testing::integer(random, 0, 1) == 1;
    double last_area = 0;
    for (std::size_t j = 0; j < problem.intervals; ++j) {
        for (std::size_t i = 0; i < problem.tasks; ++i) {
            const bool is_last = j + 1 == problem.intervals;
            const bool is_forbidden = !is_last && testing::integer(random, 0, 4) == 0;
            const double cost = testing::integer(random, 0, 9) + static_cast<double>(j);
            problem.costs.push_back(is_forbidden ? std::numeric_limits<double>::infinity() : cost);
            problem.areas.push_back(testing::integer(random, 1, 5));
            last_area += is_last ? problem.areas.back() : 0;
        }
    }
    double capacity = 0;
    for (std::size_t j = 0; j + 1 < problem.intervals; ++j) {
        capacity += testing::integer(random, j == 0 ? 1 : 0, 20);
        problem.capacities.push_back(capacity);
    }
    if (last_is_limited) {
        problem.capacities.push_back(std::max(capacity, last_area));
    }
    return problem;
}

}  // namespace

TEST_CASE("the GUB simplex and CLP agree on the bounds of instances of all sizes") {
    skip_without_clp();
    std::mt19937_64 random(11);
    for (int repetition = 0; repetition < 60; ++repetition) {
        for (const Family family : testing::monotone_families) {
            const std::size_t tasks = testing::integer(random, 1, repetition % 10 == 0 ? 400 : 60);
            const std::uint32_t processors = testing::integer(random, 1, 200);
            const OwnedInstance owned = random_instance(family, tasks, processors, random);
            const MoldableInstance instance = owned.view();
            const double makespan = dual_approximation(instance).lambda;
            for (const MinsumProgram program :
                 {MinsumProgram::printed, MinsumProgram::safe, MinsumProgram::refined}) {
                const std::uint32_t steps = testing::integer(random, 1, 8);
                check_agreement(minsum_program(instance, makespan, {program, steps}).problem);
            }
        }
    }
}

TEST_CASE("the GUB simplex and CLP agree on degenerate programs without any structure") {
    skip_without_clp();
    std::mt19937_64 random(12);
    for (int repetition = 0; repetition < 1000; ++repetition) {
        check_agreement(random_problem(random));
    }
}

}  // namespace schedfarm::engine
