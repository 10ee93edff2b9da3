#include "engine/statistics/student_t.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include <boost/math/distributions/students_t.hpp>
#include <doctest/doctest.h>

#include "engine/foundation/elementary.hpp"
#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {
namespace {

constexpr std::array confidences{0.5, 0.68, 0.8, 0.9, 0.95, 0.975, 0.99, 0.999, 0.9999};

double relative_error(double value, double exact) {
    return std::fabs(value / exact - 1);
}

TEST_CASE("the t quantile agrees with Boost.Math for every degree of freedom in use") {
    for (const double confidence : confidences) {
        double worst = 0;
        for (std::uint64_t v = 1; v <= 2'000'000; v += 1 + v / 40) {
            // The complement has the bits of 1 − confidence, as our function forms it.
            const boost::math::students_t oracle(static_cast<double>(v));
            const double exact = quantile(complement(oracle, (1 - confidence) / 2));
            worst = std::max(worst, relative_error(student_t_two_sided(confidence, v), exact));
        }
        MESSAGE("confidence " << confidence << ": largest relative error " << worst);
        CHECK(worst < 4e-15 + 4e-16 / (1 - confidence));
    }
}

TEST_CASE("one and two degrees of freedom have closed forms") {
    // v = 1 (Cauchy): P(|T| <= 1) = 1/2. v = 2: t = c sqrt(2 / (1 − c²)), c the confidence.
    CHECK(relative_error(student_t_two_sided(0.5, 1), 1) < 1e-14);
    for (const double confidence : confidences) {
        const double exact = confidence * std::sqrt(2 / ((1 - confidence) * (1 + confidence)));
        CHECK(relative_error(student_t_two_sided(confidence, 2), exact) < 1e-13);
    }
}

TEST_CASE("the t quantile falls to the normal quantile as the degrees of freedom grow") {
    double last = student_t_two_sided(0.95, 1);
    for (std::uint64_t v = 2; v < 1'000'000'000'000; v *= 3) {
        const double t = student_t_two_sided(0.95, v);
        CHECK(t < last);
        CHECK(t > normal_quantile(0.975));
        last = t;
    }
    CHECK(relative_error(last, normal_quantile(0.975)) < 1e-11);
}

TEST_CASE("the t probability inverts the quantile") {
    for (const std::uint64_t v : {1U, 2U, 3U, 9U, 63U, 64U, 1000U, 99999U}) {
        for (const double confidence : confidences) {
            const double t = student_t_two_sided(confidence, v);
            CHECK(std::fabs(student_t_two_sided_probability(t, v) - confidence) < 1e-14);
        }
        CHECK(student_t_two_sided_probability(0, v) == 0);
    }
}

TEST_CASE("the one-sided t quantile is symmetric about zero") {
    CHECK(student_t_quantile(0.5, 7) == 0);
    CHECK(student_t_quantile(0.75, 7) == student_t_two_sided(0.5, 7));
    CHECK(student_t_quantile(0.25, 7) == -student_t_two_sided(0.5, 7));
}

TEST_CASE("extreme confidences end and stay finite") {
    for (const std::uint64_t v : {1U, 2U, 64U, 100000U}) {
        const double widest = student_t_two_sided(1 - 0x1p-53, v);
        CHECK(std::isfinite(widest));
        CHECK(widest > 8);
        CHECK(student_t_two_sided(1e-12, v) > 0);
    }
}

TEST_CASE("probabilities outside their range break the contract") {
    CHECK_THROWS_AS(student_t_two_sided(0, 5), ContractViolation);
    CHECK_THROWS_AS(student_t_two_sided(1, 5), ContractViolation);
    CHECK_THROWS_AS(student_t_two_sided(0.95, 0), ContractViolation);
    CHECK_THROWS_AS(student_t_quantile(1, 5), ContractViolation);
    CHECK_THROWS_AS(student_t_two_sided_probability(-1, 5), ContractViolation);
}

}  // namespace
}  // namespace schedfarm::engine
