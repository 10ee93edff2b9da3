#include "engine/optimization/knapsack.hpp"

#include <algorithm>
#include <limits>
#include <random>

#include <doctest/doctest.h>

#include "tests/engine/optimization/instances.hpp"

namespace schedfarm::engine {

namespace {

constexpr double forced = std::numeric_limits<double>::infinity();

/// Over all choices, added up in the order of the items as the recurrence does.
double least_of_all_choices(const std::vector<KnapsackItem>& items, std::uint32_t capacity) {
    double best = forced;
    for (std::uint32_t choice = 0; choice < (1U << items.size()); ++choice) {
        std::uint32_t size = 0;
        double cost = 0;
        for (std::size_t i = 0; i < items.size(); ++i) {
            const bool is_in = ((choice >> i) & 1U) != 0;
            size += is_in ? items[i].size : 0;
            cost += is_in ? items[i].inside : items[i].outside;
        }
        best = size <= capacity ? std::min(best, cost) : best;
    }
    return best;
}

}  // namespace

TEST_CASE("a knapsack gains the most weight") {
    // Capacity 5. Sizes 3, 3, 2 with weights 5, 4, 3: the first and the last, 8; 4 stays out.
    const std::vector<KnapsackItem> items{{3, 5}, {3, 4}, {2, 3}};
    Knapsack knapsack;
    CHECK(knapsack.solve(items, 5) == 4);
    CHECK(knapsack.chosen() == std::vector<std::uint8_t>{1, 0, 1});
    CHECK(knapsack.least_cost(items, 5) == 4);
}

TEST_CASE("a knapsack chooses the lesser work and what cannot stay out") {
    // Capacity 4. The first must go in (work 6). Beside it the second saves 9 − 8, the third 7 − 5,
    // both of size 2: the third. 6 + 9 + 5 = 20.
    const std::vector<KnapsackItem> items{{2, forced, 6}, {2, 9, 8}, {2, 7, 5}};
    Knapsack knapsack;
    CHECK(knapsack.solve(items, 4) == 20);
    CHECK(knapsack.chosen() == std::vector<std::uint8_t>{1, 0, 1});
    CHECK(knapsack.least_cost(items, 1) == forced);
}

TEST_CASE("items without gain and items that are too large stay out") {
    Knapsack knapsack;
    CHECK(knapsack.solve(std::vector<KnapsackItem>{{1, 0}, {9, 3}, {1, 2}}, 3) == 3);
    CHECK(knapsack.chosen() == std::vector<std::uint8_t>{0, 0, 1});
    CHECK(knapsack.solve({}, 3) == 0);
    CHECK(knapsack.chosen().empty());
}

TEST_CASE("a knapsack is the best of all choices") {
    std::mt19937_64 random(5);
    Knapsack knapsack;
    for (int repetition = 0; repetition < 500; ++repetition) {
        std::vector<KnapsackItem> items(testing::integer(random, 1, 10));
        for (KnapsackItem& item : items) {
            item.size = testing::integer(random, 1, 12);
            item.outside =
                testing::integer(random, 0, 9) == 0 ? forced : testing::uniform(random, 0, 9);
            item.inside = testing::uniform(random, 0, 3);
        }
        const std::uint32_t capacity = testing::integer(random, 1, 40);
        const double expected = least_of_all_choices(items, capacity);
        CHECK(knapsack.least_cost(items, capacity) == expected);
        CHECK(knapsack.solve(items, capacity) == expected);
        double cost = 0;
        std::uint32_t size = 0;
        for (std::size_t i = 0; i < items.size() && expected < forced; ++i) {
            const bool is_in = knapsack.chosen()[i] != 0;
            cost += is_in ? items[i].inside : items[i].outside;
            size += is_in ? items[i].size : 0;
        }
        CHECK((expected == forced || (cost == expected && size <= capacity)));
    }
}

}  // namespace schedfarm::engine
