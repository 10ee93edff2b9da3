#include "engine/statistics/line_root.hpp"

#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {
namespace {

doctest::Approx near(double value) {
    return doctest::Approx(value).epsilon(1e-12);
}

/// Two observations at −1 and two at 1 around the line through 0 with slope 1.
std::vector<LinePoint> four_points(double error) {
    return {{-1, -1 - error}, {-1, -1 + error}, {1, 1 - error}, {1, 1 + error}};
}

TEST_CASE("the root of a line and Fieller's interval, by hand") {
    // a = 0, b = 1; every residual is ± e, so that with the factor 4 / 2 for two fitted parameters
    // Σ r² = Σ x² r² = 8 e²; the equations have Σ 1 = Σ x² = 4, so that Var a = Var b = e² / 2, and
    // x² ≤ t² e² / 2 (1 + x²) holds up to sqrt(q / (1 − q)) with q = t² e² / 2.
    const auto root = line_root(four_points(0.1), 0.95);
    REQUIRE(root);
    const double t = 4.302652729749464;  // two degrees of freedom
    const double q = t * t * 0.01 / 2;
    CHECK(root->n == 4);
    CHECK(root->root == near(0));
    CHECK(root->slope == near(1));
    CHECK(root->standard_error == near(0.1 / std::sqrt(2)));
    CHECK(root->interval.lower == near(-std::sqrt(q / (1 - q))));
    CHECK(root->interval.upper == near(std::sqrt(q / (1 - q))));
}

TEST_CASE("a line whose slope may be zero has no root") {
    CHECK(line_root(four_points(0.3), 0.95));
    CHECK_FALSE(line_root(four_points(0.33), 0.95));  // q = 1.008
    CHECK(line_root(four_points(0.33), 0.9));
    CHECK_FALSE(line_root({}, 0.95));
    CHECK_FALSE(line_root(std::vector<LinePoint>{{0, -1}, {1, 1}}, 0.95));
    CHECK_FALSE(line_root(std::vector<LinePoint>{{1, -1}, {1, 1}, {1, 0}}, 0.95));
    CHECK_FALSE(line_root(std::vector<LinePoint>{{0, 1}, {1, 0}, {2, -1}}, 0.95));  // it falls
    CHECK_FALSE(line_root(std::vector<LinePoint>{{0, -1, 0}, {1, 0, 0}, {2, 1, 0}}, 0.95));
}

TEST_CASE("the root moves with the points and is counted in their unit") {
    const auto plain = line_root(four_points(0.1), 0.9);
    std::vector<LinePoint> moved = four_points(0.1);
    for (LinePoint& point : moved) {
        point.at = 0.8 + 0.01 * point.at;
        point.change *= 7;
        point.scale = 2;
    }
    const auto root = line_root(moved, 0.9);
    REQUIRE(plain);
    REQUIRE(root);
    CHECK(root->root == near(0.8));
    CHECK(root->slope == near(350));
    CHECK(root->standard_error == near(0.01 * plain->standard_error));
    CHECK(root->interval.lower == near(0.8 + 0.01 * plain->interval.lower));
    CHECK(root->interval.upper == near(0.8 + 0.01 * plain->interval.upper));
}

TEST_CASE("sums decide and not the ratios of single observations") {
    // At 0.4: 1 in 1 and −3 in 9, together −0.2 per unit; the mean of the ratios is 1/3.
    const std::vector<LinePoint> points = {
        {0.4, 1, 1}, {0.4, -3, 9}, {0.8, 2, 1}, {0.8, 0, 9}, {0.6, 0, 10}};
    const auto root = line_root(points, 0.5);
    REQUIRE(root);
    CHECK(root->root == near(0.6));
    CHECK(root->slope == near(1));
}

TEST_CASE("points without noise give the root itself") {
    const auto root = line_root(std::vector<LinePoint>{{0, -1}, {1, 0}, {3, 2}}, 0.95);
    REQUIRE(root);
    CHECK(root->root == near(1));
    CHECK(root->interval.half_width() < 1e-12);
    CHECK(root->interval.contains(root->root));
}

TEST_CASE("broken contracts of the line are reported") {
    CHECK_THROWS_AS(line_root({}, 1), ContractViolation);
    CHECK_THROWS_AS(
        line_root(std::vector<LinePoint>{{0, 1, -1}, {1, 1}, {2, 1}}, 0.9), ContractViolation
    );
}

}  // namespace
}  // namespace schedfarm::engine
