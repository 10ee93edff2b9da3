#include "engine/statistics/selection/selection_constants.hpp"

#include <cmath>
#include <numbers>

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <doctest/doctest.h>

#include "engine/foundation/elementary.hpp"
#include "engine/foundation/expect.hpp"
#include "engine/statistics/selection/selection.hpp"

namespace schedfarm::engine {
namespace {

/// E f(X) of a chi-square variable, by adaptive quadrature of the density of its root.
template <typename Function>
double expectation(double v, Function f) {
    const boost::math::chi_squared distribution(v);
    const auto integrand = [&](double root) {
        const double x = root * root;
        return f(x) * pdf(distribution, x) * 2 * root;
    };
    const double low = std::sqrt(quantile(distribution, 1e-14));
    const double high = std::sqrt(quantile(complement(distribution, 1e-14)));
    return boost::math::quadrature::gauss_kronrod<double, 61>::integrate(
        integrand, low, high, 4, 1e-12
    );
}

/// Rinott's probability of correct selection.
double rinott_probability(double h, std::size_t systems, double v) {
    return expectation(v, [&](double x) {
        const double wins = expectation(v, [&](double y) {
            return cdf(boost::math::normal(), h / std::sqrt(v * (1 / x + 1 / y)));
        });
        return std::pow(wins, static_cast<double>(systems - 1));
    });
}

/// P that the screening of a pair errs: the density of the smaller of two is 2 f (1 − F).
double screening_error(double eta, double v) {
    const boost::math::chi_squared distribution(v);
    return expectation(v, [&](double r) {
        return 2 * cdf(complement(boost::math::normal(), eta * std::sqrt(r))) * 2
               * cdf(complement(distribution, r));
    });
}

TEST_CASE("Kim and Nelson's constant by hand") {
    // k = 2, n0 = 3, α = 0.05: η = (0.1^(−1) − 1) / 2 = 4.5, h² = 2 · 4.5 · 2 = 18.
    CHECK(kn_constant(2, 3, 0.95) == doctest::Approx(18).epsilon(1e-14));
    // k = 10, n0 = 10: η = ((0.1 / 9)^(−2/9) − 1) / 2, h² = 18 η.
    const double exact = 9 * (std::pow(90, 2. / 9) - 1);
    CHECK(kn_constant(10, 10, 0.95) == doctest::Approx(exact).epsilon(1e-13));
    // A confidence that a choice by lot would reach needs nothing.
    CHECK(kn_constant(2, 10, 0.5) == 0);
    CHECK(kn_constant(2, 10, 0.4) == 0);
}

TEST_CASE("Rinott's constant agrees with published values and closed forms") {
    // Law & Kelton, Simulation Modeling and Analysis, table of h1 for n0 = 20 and k = 2, where
    // Rinott's constant is that of Dudewicz & Dalal.
    CHECK(std::fabs(rinott_constant(2, 20, 0.90) - 1.896) < 0.0006);
    CHECK(std::fabs(rinott_constant(2, 20, 0.95) - 2.453) < 0.0006);
    // n0 = 2 and k = 2: the sum of two Cauchy variables, 2 tan(π (P − 1/2)).
    CHECK(
        rinott_constant(2, 2, 0.9)
        == doctest::Approx(2 * std::tan(0.4 * std::numbers::pi)).epsilon(1e-10)
    );
    // Known variances: the sum of two normal variables.
    CHECK(
        rinott_constant(2, 1'000'000, 0.95)
        == doctest::Approx(std::numbers::sqrt2 * normal_quantile(0.95)).epsilon(1e-5)
    );
}

TEST_CASE("Rinott's constant solves its equation") {
    for (const std::size_t systems : {2U, 3U, 10U, 50U}) {
        for (const std::uint64_t first_stage : {4U, 10U, 20U, 64U, 300U}) {
            for (const double confidence : {0.75, 0.95, 0.995}) {
                const double h = rinott_constant(systems, first_stage, confidence);
                const double p =
                    rinott_probability(h, systems, static_cast<double>(first_stage - 1));
                CHECK(std::fabs(p - confidence) < 1e-9);
            }
        }
    }
}

TEST_CASE("the screening constant solves its equation") {
    for (const std::size_t systems : {2U, 3U, 10U, 1000U}) {
        for (const std::uint64_t first_stage : {4U, 10U, 20U, 64U, 300U}) {
            for (const double confidence : {0.75, 0.95, 0.975}) {
                const double eta = screening_constant(systems, first_stage, confidence);
                const double error = screening_error(eta, static_cast<double>(first_stage - 1));
                const double allowed =
                    1 - std::pow(confidence, 1 / static_cast<double>(systems - 1));
                CHECK(std::fabs(error - allowed) < 1e-9);
                CHECK(std::fabs(error / allowed - 1) < 1e-7);
            }
        }
    }
}

TEST_CASE("the constants grow with the confidence and the systems and fall with the first stage") {
    for (const auto constant : {kn_constant, screening_constant, rinott_constant}) {
        CHECK(constant(5, 10, 0.95) < constant(5, 10, 0.99));
        CHECK(constant(5, 10, 0.95) < constant(6, 10, 0.95));
        CHECK(constant(5, 10, 0.95) > constant(5, 11, 0.95));
        CHECK_THROWS_AS(constant(1, 10, 0.95), ContractViolation);
        CHECK_THROWS_AS(constant(5, 1, 0.95), ContractViolation);
        CHECK_THROWS_AS(constant(5, 10, 1), ContractViolation);
    }
}

}  // namespace
}  // namespace schedfarm::engine
