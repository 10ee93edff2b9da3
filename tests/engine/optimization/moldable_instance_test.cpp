#include "engine/optimization/moldable_instance.hpp"

#include <cmath>
#include <limits>
#include <random>

#include <doctest/doctest.h>

#include "engine/foundation/expect.hpp"
#include "engine/optimization/monotone_hull.hpp"

#include "tests/engine/optimization/instances.hpp"
#include "tests/support/within.hpp"

namespace schedfarm::engine {

using testing::OwnedInstance;

TEST_CASE("the least number of processors for a time is found in falling and in other times") {
    const OwnedInstance falling{4, {1}, {{8, 4, 4, 3}}};
    const MoldableInstance instance = falling.view();
    CHECK(instance.is_monotone());
    CHECK(instance.least_processors(0, 8) == 1);
    CHECK(instance.least_processors(0, 7.9) == 2);
    CHECK(instance.least_processors(0, 4) == 2);
    CHECK(instance.least_processors(0, 3) == 4);
    CHECK(instance.least_processors(0, 2.9) == 5);
    CHECK(instance.least_time() == 3);
    const OwnedInstance other{4, {1}, {{8, 5, 9, 2}}};
    CHECK_FALSE(other.view().is_monotone());
    CHECK(other.view().least_processors(0, 5) == 2);
    CHECK(other.view().least_processors(0, 4) == 4);
    CHECK(other.view().least_time() == 2);
}

TEST_CASE("what rounding does to monotone times is measured") {
    const double more = std::nextafter(6.0, 7.0);
    const OwnedInstance growing{3, {1, 1}, {{6, more, 5}, {9, 5, 4}}};
    CHECK(growing.view().is_monotone());
    CHECK(growing.view().least_processors(0, 6) == 1);
    CHECK(growing.view().least_time(0) == 5);
    CHECK(growing.view().area_loss() == 0);
    const OwnedInstance plateau{2, {1}, {{6, more}}};
    CHECK(plateau.view().least_time(0) == 6);
    // Areas 9, 9 (1 − 1e-13) and 9.
    const OwnedInstance falling{3, {1, 1}, {{9, 4.5 * (1 - 1e-13), 3}, {6, 5, 4}}};
    CHECK(falling.view().is_monotone());
    CHECK(falling.view().area_loss() == tests::within(0.01, 1e-13));
    const OwnedInstance other{3, {1, 1}, {{9, 4.5 * (1 - 1e-13), 3}, {6, 7, 4}}};
    CHECK(other.view().area_loss() == 0);
}

TEST_CASE("an instance refuses times and weights that mean nothing") {
    const double infinite = std::numeric_limits<double>::infinity();
    const double none = std::numeric_limits<double>::quiet_NaN();
    for (const double bad : {0.0, -1.0, infinite, none}) {
        CHECK_THROWS_AS(OwnedInstance({2, {1}, {{2, bad}}}).view(), ContractViolation);
        CHECK_THROWS_AS(OwnedInstance({2, {1}, {{bad, 2}}}).view(), ContractViolation);
    }
    CHECK_THROWS_AS(OwnedInstance({2, {-1}, {{2, 1}}}).view(), ContractViolation);
    CHECK_THROWS_AS(OwnedInstance({2, {none}, {{2, 1}}}).view(), ContractViolation);
    CHECK_THROWS_AS(OwnedInstance({3, {1}, {{2, 1}}}).view(), ContractViolation);
    CHECK_THROWS_AS(OwnedInstance({0, {1}, {{2, 1}}}).view(), ContractViolation);
    CHECK_THROWS_AS(OwnedInstance({2, {}, {}}).view(), ContractViolation);
}

TEST_CASE("the monotone hulls of a task by hand") {
    // Times 6, 2, 5, 1 on 1 … 4. Best on up to k: 6, 2, 2, 1, of areas 6, 4, 6, 4.
    // Below: areas at most any later one: 4, 4, 4, 4, times 4, 2, 4/3, 1.
    // Above: areas at least any earlier one: 6, 6, 6, 6, times 6, 3, 2, 1.5.
    const OwnedInstance owned{4, {3}, {{6, 2, 5, 1}}};
    const MoldableInstance instance = owned.view();
    const MonotoneInstance below = MonotoneInstance::below(instance);
    const MonotoneInstance above = MonotoneInstance::above(instance);
    const std::vector<double> expected_below{4, 2, 4.0 / 3, 1};
    const std::vector<double> expected_above{6, 3, 2, 1.5};
    for (std::uint32_t k = 1; k <= 4; ++k) {
        CHECK(below.instance().time(0, k) == doctest::Approx(expected_below[k - 1]));
        CHECK(above.instance().time(0, k) == doctest::Approx(expected_above[k - 1]));
    }
    CHECK(below.instance().is_monotone());
    CHECK(above.instance().is_monotone());
    CHECK(below.instance().weight(0) == 3);
    CHECK(best_part(instance, 0, 3) == 2);
    CHECK(best_part(instance, 0, 4) == 4);
}

TEST_CASE("hulls of random tasks are monotone and on their side") {
    std::mt19937_64 random(6);
    for (int repetition = 0; repetition < 200; ++repetition) {
        const std::uint32_t processors = testing::integer(random, 1, 30);
        const OwnedInstance owned =
            random_instance(testing::Family::arbitrary, 5, processors, random);
        const MoldableInstance instance = owned.view();
        const MonotoneInstance below = MonotoneInstance::below(instance);
        const MonotoneInstance above = MonotoneInstance::above(instance);
        CHECK(below.instance().is_monotone());
        CHECK(above.instance().is_monotone());
        for (std::size_t i = 0; i < instance.size(); ++i) {
            for (std::uint32_t k = 1; k <= processors; ++k) {
                CHECK(below.instance().time(i, k) <= instance.time(i, k));
                CHECK(above.instance().time(i, k) >= instance.time(i, best_part(instance, i, k)));
            }
        }
    }
}

}  // namespace schedfarm::engine
