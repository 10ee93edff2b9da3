#include "engine/statistics/selection/comparison.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {
namespace {

TEST_CASE("the z score adds both standard errors and the rounding variance") {
    // 0.3² + 0.4² = 0.5²; difference 1: z = 2.
    CHECK(z_score(11, 0.3, {10, 0.4, 0}) == doctest::Approx(2).epsilon(1e-15));
    CHECK(z_score(9, 0.3, {10, 0.4, 0}) == doctest::Approx(-2).epsilon(1e-15));
    // Rounding alone: half width 0.5 has variance 1/12, difference 0.5: z = 0.5 sqrt 12 = sqrt 3.
    CHECK(z_score(10.5, 0, {10, 0, 0.5}) == doctest::Approx(std::sqrt(3)).epsilon(1e-15));
    // All three: 0.2² + 0.1² + 1/12.
    CHECK(
        z_score(11, 0.2, {10, 0.1, 0.5})
        == doctest::Approx(1 / std::sqrt(0.05 + 1. / 12)).epsilon(1e-15)
    );
}

TEST_CASE("exact values agree only when they are equal") {
    const double infinity = std::numeric_limits<double>::infinity();
    CHECK(z_score(10, 0, {10, 0, 0}) == 0);
    CHECK(z_score(10.1, 0, {10, 0, 0}) == infinity);
    CHECK(z_score(9.9, 0, {10, 0, 0}) == -infinity);
}

TEST_CASE("the verdict is symmetric and a NaN differs") {
    CHECK(verdict(3) == Verdict::agrees);
    CHECK(verdict(-3) == Verdict::agrees);
    CHECK(verdict(3.001) == Verdict::differs);
    CHECK(verdict(-3.001) == Verdict::differs);
    CHECK(verdict(2.5, 2) == Verdict::differs);
    CHECK(verdict(std::nan("")) == Verdict::differs);
}

TEST_CASE("negative standard errors break the contract") {
    CHECK_THROWS_AS(z_score(1, -0.1, {1, 0, 0}), ContractViolation);
    CHECK_THROWS_AS(z_score(1, 0, {1, -0.1, 0}), ContractViolation);
    CHECK_THROWS_AS(z_score(1, 0, {1, 0, -0.1}), ContractViolation);
}

TEST_CASE("the paired difference of a hand-computed sample") {
    // Differences 1 2 3: mean 2, s = 1, standard error 1 / sqrt 3; t of 2 degrees of freedom for c
    // = 0.95 is c sqrt(2 / (1 − c²)) = 4.3026527…
    const std::vector<double> a{101, 202, 303};
    const std::vector<double> b{100, 200, 300};
    const auto difference = paired_difference(a, b, 0.95);
    const double t = 0.95 * std::sqrt(2 / (0.05 * 1.95));
    REQUIRE(difference);
    CHECK(difference->n == 3);
    CHECK(difference->mean == 2);
    CHECK(difference->interval.upper == doctest::Approx(2 + t / std::sqrt(3)).epsilon(1e-12));
    const auto mirrored = paired_difference(b, a, 0.95);
    CHECK(mirrored->interval.lower == -difference->interval.upper);
}

TEST_CASE("the interval of a paired difference is longer on the side of the long tail") {
    const std::vector<double> a{1, 2, 1, 9, 2, 1, 3, 2, 1, 20};
    const std::vector<double> b(10, 0.5);
    const auto difference = paired_difference(a, b, 0.95);
    const double above = difference->interval.upper - difference->mean;
    CHECK(above > 1.5 * (difference->mean - difference->interval.lower));
}

TEST_CASE("pairing needs two pairs and equally many of both") {
    const std::vector<double> one{1};
    const std::vector<double> two{1, 2};
    CHECK_FALSE(paired_difference(one, one, 0.95));
    CHECK_THROWS_AS(paired_difference(one, two, 0.95), ContractViolation);
}

}  // namespace
}  // namespace schedfarm::engine
