#include "engine/optimization/dual_approximation.hpp"

#include <random>

#include <doctest/doctest.h>

#include "tests/engine/optimization/instances.hpp"

namespace schedfarm::engine {

namespace {

using testing::Family;
using testing::OwnedInstance;

/// Sums of up to a thousand numbers.
constexpr double rounding = 1e-12;

void check_guarantees(const MoldableInstance& instance, const DualApproximation& result) {
    CHECK(testing::fault_of(instance, result.schedule) == "");
    CHECK(result.makespan <= 1.5 * result.lambda * (1 + rounding));
    CHECK(result.lower_bound <= result.lambda);
    CHECK(result.lower_bound <= result.makespan * (1 + rounding));
    CHECK(result.shelf_order().size() == instance.size());
    if (instance.is_monotone()) {
        CHECK(result.lower_bound >= result.lambda * (1 - 1e-9));
    }
}

}  // namespace

TEST_CASE("two tasks that double in speed on two processors need two units of time") {
    // Each alone on both processors: 1 + 1. Side by side on one each: 2. Below λ = 2 both would
    // have to be on the first shelf with two processors each.
    const OwnedInstance owned{2, {1, 1}, {{2, 1}, {2, 1}}};
    const DualApproximation result = dual_approximation(owned.view());
    CHECK(result.lambda == doctest::Approx(2).epsilon(1e-9));
    CHECK(result.lower_bound <= 2);
    CHECK(result.makespan == 2);
}

TEST_CASE("one task takes all processors and one processor takes all tasks") {
    const OwnedInstance one_task{3, {1}, {{6, 4, 3}}};
    CHECK(dual_approximation(one_task.view()).lambda == 3);
    CHECK(dual_approximation(one_task.view()).lower_bound == 3);
    const OwnedInstance one_processor{1, {1, 1, 1}, {{1}, {2}, {4}}};
    CHECK(dual_approximation(one_processor.view()).lambda == 7);
    CHECK(dual_approximation(one_processor.view()).makespan == 7);
}

TEST_CASE("the guess and the schedule keep their guarantees beside the optimum of small instances"
) {
    std::mt19937_64 random(1);
    for (int repetition = 0; repetition < 120; ++repetition) {
        for (const Family family : testing::all_families) {
            const std::size_t tasks = testing::integer(random, 1, 6);
            const std::uint32_t processors = testing::integer(random, 1, tasks == 6 ? 3 : 4);
            const OwnedInstance owned = random_instance(family, tasks, processors, random);
            const MoldableInstance instance = owned.view();
            const DualApproximation result = dual_approximation(instance);
            const double optimum = testing::brute_force(instance).makespan;
            check_guarantees(instance, result);
            CHECK(result.lower_bound <= optimum * (1 + rounding));
            CHECK(result.makespan >= optimum * (1 - rounding));
        }
    }
}

TEST_CASE("schedules of all sizes end within one and a half guesses") {
    std::mt19937_64 random(2);
    for (int repetition = 0; repetition < 300; ++repetition) {
        for (const Family family : testing::all_families) {
            const std::size_t tasks = testing::integer(random, 1, 60);
            const std::uint32_t processors = testing::integer(random, 1, 40);
            const OwnedInstance owned = random_instance(family, tasks, processors, random);
            const MoldableInstance instance = owned.view();
            check_guarantees(instance, dual_approximation(instance));
        }
    }
}

}  // namespace schedfarm::engine
