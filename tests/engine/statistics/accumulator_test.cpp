#include "engine/statistics/accumulator.hpp"

#include <cmath>
#include <cstddef>
#include <vector>

#include <doctest/doctest.h>

namespace schedfarm::engine {
namespace {

Accumulator accumulate(const std::vector<double>& values) {
    Accumulator result;
    for (const double value : values) {
        result.add(value);
    }
    return result;
}

TEST_CASE("an accumulator gives absent values below the number that defines them") {
    CHECK_FALSE(Accumulator{}.mean());
    const Accumulator one = accumulate({7});
    CHECK(one.mean() == 7);
    CHECK_FALSE(one.variance());
    CHECK_FALSE(one.standard_error());
    const Accumulator two = accumulate({7, 9});
    CHECK(two.variance() == 2);
    CHECK(two.standard_error() == 1);
    CHECK_FALSE(two.skewness());
}

TEST_CASE("mean and variance and skewness of a hand-computed sample") {
    // 1 2 3 10: mean 4, deviations -3 -2 -1 6; squares 9+4+1+36 = 50, cubes -27-8-1+216 = 180.
    // s² = 50/3; skewness = 4/(3·2) · 180 / (50/3)^1.5 = 120 / (50/3)^1.5.
    const Accumulator sample = accumulate({1, 2, 3, 10});
    CHECK(sample.n() == 4);
    CHECK(sample.mean() == 4);
    CHECK(*sample.variance() == doctest::Approx(50. / 3).epsilon(1e-15));
    CHECK(*sample.skewness() == doctest::Approx(120 / std::pow(50. / 3, 1.5)).epsilon(1e-15));
    CHECK(*accumulate({-1, -2, -3, -10}).skewness() == -*sample.skewness());
}

TEST_CASE("equal observations have no variance and no skewness to the last bit") {
    const Accumulator sample = accumulate({0.1, 0.1, 0.1, 0.1, 0.1});
    CHECK(sample.mean() == 0.1);
    CHECK(sample.variance() == 0);
    CHECK(sample.skewness() == 0);
}

TEST_CASE("one outlier gives the largest skewness there is") {
    // n − 1 zeros and a one: G1 = sqrt n exactly, whatever n.
    std::vector<double> values(100, 0.0);
    values[37] = 1;
    CHECK(*accumulate(values).skewness() == doctest::Approx(10).epsilon(1e-13));
}

TEST_CASE("a large offset does not cancel the variance") {
    const Accumulator sample = accumulate({1e9 + 1, 1e9 + 2, 1e9 + 3, 1e9 + 10});
    CHECK(*sample.variance() == doctest::Approx(50. / 3).epsilon(1e-9));
}

}  // namespace
}  // namespace schedfarm::engine
