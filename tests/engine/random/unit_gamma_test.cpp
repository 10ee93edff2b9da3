#include "engine/random/unit_gamma.hpp"

#include <cmath>

#include <doctest/doctest.h>

#include "engine/random/distribution.hpp"

#include "tests/engine/random/distribution_examples.hpp"
#include "tests/support/within.hpp"

namespace schedfarm::engine {

namespace {

/// P(X <= x) for a whole shape: 1 − e^−x Σ_{k < n} x^k / k!, the probability that n arrivals of a
/// Poisson process have come by x; summed from the other end where the value is small.
double erlang_probability(int shape, double x) {
    double term = std::exp(-x);
    double below = 0;
    for (int k = 0; k < shape; ++k) {
        below += term;
        term *= x / (k + 1);
    }
    if (below < 0.5) {
        return 1 - below;
    }
    double above = 0;
    for (int k = shape; k < shape + 500; ++k) {
        above += term;
        term *= x / (k + 1);
    }
    return above;
}

/// P(X <= x) by Simpson's rule. REQUIRES: shape >= 3, where the integrand is smooth enough at 0.
double integrated_probability(double shape, double x) {
    const int n = 20'000;
    const double h = x / n;
    double sum = 0;
    for (int i = 1; i <= n; ++i) {
        const double weight = i == n ? 1 : i % 2 == 1 ? 4 : 2;
        sum += weight * std::pow(h * i, shape - 1) * std::exp(-h * i);
    }
    return sum * h / 3 / std::tgamma(shape);
}

}  // namespace

TEST_CASE("gamma probabilities of whole shapes are those of the Poisson process") {
    for (const int shape : {1, 2, 3, 7, 15, 16, 17, 40, 639}) {
        const UnitGamma gamma(shape);
        for (const double factor : {0.01, 0.3, 0.7, 0.9, 0.97, 1.0, 1.03, 1.1, 1.5, 3.0}) {
            const double x = factor * shape;
            if (shape < 600 || std::abs(factor - 1) < 0.2) {
                CAPTURE(shape);
                CAPTURE(x);
                CHECK(
                    gamma.probability(x)
                    == doctest::Approx(erlang_probability(shape, x)).epsilon(2e-12)
                );
            }
        }
    }
    CHECK(UnitGamma(2.5).probability(0) == 0);
    CHECK(UnitGamma(2.5).probability(-1) == 0);
    CHECK(UnitGamma(2.5).probability(1e5) == 1);
}

TEST_CASE("gamma probabilities of other shapes are the integral of the density") {
    // Shape 1/2 is the square of a normal value, halved: erf(√x).
    for (const double x : {1e-6, 0.01, 0.5, 1.4, 1.6, 4.0, 20.0}) {
        CHECK(
            UnitGamma(0.5).probability(x) == doctest::Approx(std::erf(std::sqrt(x))).epsilon(1e-13)
        );
    }
    for (const double shape : {3.8351, 6.57, 10.2303, 15.75, 16.25}) {
        for (const double factor : {0.5, 1.0, 1.7}) {
            CHECK(
                UnitGamma(shape).probability(factor * shape)
                == doctest::Approx(integrated_probability(shape, factor * shape)).epsilon(1e-10)
            );
        }
    }
}

TEST_CASE("gamma quantiles invert the probabilities and never decrease") {
    for (const double shape : {0.02, 0.3, 0.5, 1.0, 1.7, 3.8351, 10.2303, 312.0, 639.1, 10000.0}) {
        const UnitGamma gamma(shape);
        double last = 0;
        for (int i = 1; i < 400; ++i) {
            const double p = i < 40 ? std::pow(10.0, -0.4 * (47 - i)) : (i - 39.5) / 360.6;
            const double x = gamma.quantile(p);
            CAPTURE(shape);
            CAPTURE(p);
            CHECK(x >= last);
            last = x;
            if (x > 1e-290) {
                CHECK(gamma.probability(x) == tests::within(shape > 1000 ? 1e-10 : 3e-12, p));
            }
        }
        const double lowest = gamma.quantile(0x1p-53);
        const double highest = gamma.quantile(1 - 0x1p-53);
        CHECK((lowest >= 0 && lowest < gamma.quantile(0.5) && highest > gamma.quantile(0.5)));
    }
    // The median of the exponential distribution is ln 2.
    CHECK(UnitGamma(1.0).quantile(0.5) == doctest::Approx(std::log(2.0)).epsilon(1e-14));
}

TEST_CASE("a gamma time has the stated mean and variation and takes one draw") {
    const auto distribution =
        make_time_distribution(choice("gamma", {{"shape", 2.5}, {"mean", 10.0}}));
    CHECK(distribution->mean() == 10.0);
    CHECK(distribution->squared_variation() == 0.4);
    const Stream stream(2001, Purpose::service, 3);
    std::vector<double> values(100);
    distribution->fill(stream, 7, values);
    for (std::size_t i = 0; i < values.size(); ++i) {
        CHECK(
            UnitGamma(2.5).probability(values[i] / 4)
            == doctest::Approx(unit_interval(stream.draw(7 + i))).epsilon(1e-12)
        );
    }
}

}  // namespace schedfarm::engine
