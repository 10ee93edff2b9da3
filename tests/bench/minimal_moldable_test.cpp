#include "bench/minimal_moldable.hpp"

#include <limits>
#include <random>

#include <doctest/doctest.h>

#include "engine/optimization/dual_approximation.hpp"

#include "tests/engine/optimization/instances.hpp"

namespace schedfarm::bench {

namespace testing = engine::testing;

TEST_CASE("the dual approximation and plain bisection find the same guess") {
    std::mt19937_64 random(21);
    for (int repetition = 0; repetition < 100; ++repetition) {
        for (const testing::Family family : testing::monotone_families) {
            const testing::OwnedInstance owned = random_instance(
                family, testing::integer(random, 1, 80), testing::integer(random, 1, 60), random
            );
            const engine::MoldableInstance instance = owned.view();
            const double expected = minimal_lambda(instance);
            const engine::DualApproximation found = engine::dual_approximation(instance);
            CHECK(found.lambda == doctest::Approx(expected).epsilon(2e-9));
            CHECK(found.lower_bound <= expected * (1 + 1e-11));
        }
    }
}

TEST_CASE("the knapsack in vectors and the minimal loop choose the same items") {
    std::mt19937_64 random(22);
    engine::Knapsack knapsack;
    for (int repetition = 0; repetition < 300; ++repetition) {
        std::vector<engine::KnapsackItem> items(testing::integer(random, 1, 100));
        for (engine::KnapsackItem& item : items) {
            item.size = testing::integer(random, 1, 40);
            item.outside = testing::integer(random, 0, 9) == 0
                               ? std::numeric_limits<double>::infinity()
                               : testing::integer(random, 0, 20);
            item.inside = testing::integer(random, 0, 5);
        }
        const std::uint32_t capacity = testing::integer(random, 1, 300);
        const MinimalChoice expected = minimal_knapsack(items, capacity);
        CHECK(knapsack.least_cost(items, capacity) == expected.cost);
        CHECK(knapsack.solve(items, capacity) == expected.cost);
        for (std::size_t i = 0; i < items.size(); ++i) {
            CHECK((knapsack.chosen()[i] != 0) == expected.chosen[i]);
        }
    }
}

}  // namespace schedfarm::bench
