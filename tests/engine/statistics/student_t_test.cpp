#include "engine/statistics/student_t.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

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

/// A t, its degrees of freedom and P(|T| > t).
struct KnownTail {
    std::uint64_t degrees_of_freedom;
    double t;
    double probability;
};

// Abramowitz & Stegun 26.7.3 and 26.7.4, finite sums for P(|T| <= t) in powers of ν / (ν + t²),
// with the arc tangent for odd ν, in decimal arithmetic of 400 digits, and 1 less it; t as the
// double that it is written as.
constexpr std::array known_tails{
    KnownTail{1, 0.5, 7.04832764699133452e-1},
    KnownTail{1, 1e5, 6.36619772346360684e-6},
    KnownTail{1, 1e300, 6.36619772367581310e-301},
    KnownTail{2, 3, 9.54659662667091321e-2},
    KnownTail{2, 1e8, 9.99999999999999850e-17},
    KnownTail{2, 1e150, 1.00000000000000004e-300},
    KnownTail{3, 1.25, 2.99929467950862611e-1},
    KnownTail{3, 30, 8.13528042716395945e-5},
    KnownTail{3, 1e100, 2.20531558168716809e-300},
    KnownTail{5, 2, 1.01939478829858356e-1},
    KnownTail{5, 1e3, 1.89801311319797147e-14},
    KnownTail{5, 1e60, 1.89803344911247264e-299},
    KnownTail{9, 4, 3.11042831038585539e-3},
    KnownTail{9, 100, 5.07308976620856260e-15},
    KnownTail{9, 1e33, 5.09179407421403823e-294},
    KnownTail{30, 2, 5.46250449629831039e-2},
    KnownTail{30, 8, 6.26582247570075894e-9},
    KnownTail{30, 1e6, 2.07290692960875552e-159},
    KnownTail{30, 4e10, 1.79796015793745373e-297},
    KnownTail{63, 8, 3.56792865478828018e-11},
    KnownTail{63, 50, 2.03905417458780845e-52},
    KnownTail{63, 2e5, 5.18661519504352705e-279},
    KnownTail{99, 8.5, 2.01345665337253823e-13},
    KnownTail{99, 40, 6.38508516028722680e-63},
    KnownTail{99, 9000, 1.64790990078738397e-294},
    KnownTail{399, 3, 2.86913917890460600e-3},
    KnownTail{399, 8, 1.36476529405142899e-14},
    KnownTail{399, 12, 1.54161467377585830e-28},
    KnownTail{399, 90, 3.95166688841130516e-267},
    KnownTail{1000, 7.5, 1.40572934612115876e-13},
    KnownTail{1000, 20, 4.06228849952477131e-75},
    KnownTail{1000, 53, 1.15430509076708251e-292},
    KnownTail{20001, 8, 1.31148641282993839e-15},
    KnownTail{20001, 25, 7.41765952756196251e-136},
    KnownTail{20001, 37, 6.38694379696941818e-290},
    KnownTail{1000000, 0.5, 6.17075187472371388e-1},
    KnownTail{1000000, 2, 4.55005338513192084e-2},
    KnownTail{1000000, 5, 5.73399787089074157e-7},
    KnownTail{1000000, 8, 1.24550634332025196e-15},
    KnownTail{1000000, 20, 5.73308704739037183e-89},
    KnownTail{1000000, 37, 1.82997308618022631e-299},
};

TEST_CASE("the t tail agrees with exact sums down to 1e-300") {
    double worst = 0;
    for (const KnownTail& known : known_tails) {
        const double tail = student_t_two_sided_tail(known.t, known.degrees_of_freedom);
        const double error = relative_error(tail, known.probability);
        worst = std::max(worst, error);
        CHECK_MESSAGE(error < 4e-13, "t = " << known.t << ", ν = " << known.degrees_of_freedom);
    }
    MESSAGE("largest relative error " << worst);
}

TEST_CASE("a p value lies above 0, is 1 at 0, and falls strictly in t") {
    for (std::uint64_t v = 1; v <= 1'000'000; v = v < 10 ? v + 1 : v + v / 3) {
        double last = 1;
        CHECK(student_t_two_sided_tail(0, v) == last);
        for (double t = 1e-3; last > 1e-300 && t < 1e300; t *= 1.01) {
            const double tail = student_t_two_sided_tail(t, v);
            if (!(tail < last)) {
                FAIL_CHECK("t = " << t << ", ν = " << v << ": " << tail << " after " << last);
            }
            last = tail;
        }
        CHECK(student_t_two_sided_tail(1e300, v) > 0);
        CHECK(student_t_two_sided_tail(std::numeric_limits<double>::infinity(), v) > 0);
    }
}

TEST_CASE("the t tail inverts the quantile") {
    for (const std::uint64_t v : {1U, 2U, 3U, 9U, 63U, 64U, 1000U, 99999U}) {
        for (const double confidence : confidences) {
            const double t = student_t_two_sided(confidence, v);
            CHECK(std::fabs(student_t_two_sided_tail(t, v) - (1 - confidence)) < 1e-14);
        }
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
    CHECK_THROWS_AS(student_t_two_sided_tail(-1, 5), ContractViolation);
}

}  // namespace
}  // namespace schedfarm::engine
