#include "engine/optimization/minsum_bound.hpp"

#include <limits>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "engine/optimization/dual_approximation.hpp"

#include "tests/engine/optimization/instances.hpp"

namespace schedfarm::engine {

namespace {

using testing::Family;
using testing::OwnedInstance;

double value_of(const MoldableInstance& instance, const MinsumSettings& settings) {
    return minsum_bound(instance, dual_approximation(instance).lambda, settings).value;
}

}  // namespace

TEST_CASE(
    "the printed linear program exceeds the optimum where a task ends before its first interval"
) {
    // One processor, times 1 and 2, weights 10 and 1. λ* = 3, t_min = 1, K = 1: t = 1.5, 3, 6.
    // Printed: both in (1.5, 3], together 3 units of area: 1.5 (10 + 1) = 16.5.
    // Optimum: 10 · 1 + 1 · 3 = 13, where the first task ends before t_0.
    // Safe: the first in (0.75, 1.5], the other in (1.5, 3]: 7.5 + 1.5 = 9.
    const OwnedInstance owned{1, {10, 1}, {{1}, {2}}};
    const MoldableInstance instance = owned.view();
    const double printed = value_of(instance, {MinsumProgram::printed});
    const double optimum = testing::brute_force(instance).minsum;
    CHECK(optimum == 13);
    CHECK(printed == doctest::Approx(16.5).epsilon(1e-12));
    CHECK(printed > optimum);
    CHECK(value_of(instance, {MinsumProgram::safe}) == doctest::Approx(9).epsilon(1e-12));
    CHECK(value_of(instance, {MinsumProgram::refined}) <= optimum);
}

TEST_CASE("the three programs have the intervals and capacities that they should") {
    // The same instance: λ* = 3, t_min = 1. With one step per octave refined starts at t_min or
    // below, 0.75; only printed limits what ends in the last interval.
    const OwnedInstance owned{1, {10, 1}, {{1}, {2}}};
    const MoldableInstance instance = owned.view();
    using Numbers = std::vector<double>;
    const auto printed = minsum_program(instance, 3, {MinsumProgram::printed});
    CHECK(printed.starts == Numbers{1.5, 3});
    CHECK(printed.ends == Numbers{3, 6});
    CHECK(printed.problem.capacities == Numbers{3, 6});
    const auto safe = minsum_program(instance, 3, {MinsumProgram::safe});
    CHECK(safe.starts == Numbers{0.75, 1.5, 3});
    CHECK(safe.ends == Numbers{1.5, 3, 6});
    // 1.5 and 3, and (2 tasks + 4) epsilon more, for rounding may make ends come early.
    const double margin = 1 + 6 * std::numeric_limits<double>::epsilon();
    CHECK(safe.problem.capacities == Numbers{1.5 * margin, 3 * margin});
    const auto refined = minsum_program(instance, 3, {MinsumProgram::refined, 1});
    CHECK(refined.starts == safe.starts);
    CHECK(refined.problem.capacities == safe.problem.capacities);
    // A task costs w max(t_j, p(m)): 10 · 1, 10 · 1.5, 10 · 3 and, not possible by 1.5, 2, 3.
    const double none = std::numeric_limits<double>::infinity();
    CHECK(refined.problem.costs == Numbers{10, none, 15, 2, 30, 3});
}

TEST_CASE("safe and refined bounds are never above the optimum of small instances") {
    std::mt19937_64 random(3);
    int printed_above = 0;
    int instances = 0;
    for (int repetition = 0; repetition < 120; ++repetition) {
        for (const Family family : testing::all_families) {
            const OwnedInstance owned = testing::random_small_instance(family, random);
            const MoldableInstance instance = owned.view();
            const double most = testing::brute_force(instance).minsum;
            const double safe = value_of(instance, {MinsumProgram::safe});
            CHECK(safe <= most);
            CHECK(value_of(instance, {MinsumProgram::refined, 1}) <= most);
            CHECK(value_of(instance, {MinsumProgram::refined, 4}) <= most);
            CHECK(value_of(instance, {MinsumProgram::refined, 16}) <= most);
            ++instances;
            printed_above += value_of(instance, {MinsumProgram::printed}) > most ? 1 : 0;
        }
    }
    MESSAGE("the printed program exceeds the optimum on ", printed_above, " of ", instances);
    CHECK(printed_above > 0);
}

}  // namespace schedfarm::engine
