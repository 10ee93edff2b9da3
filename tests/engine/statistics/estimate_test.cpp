#include "engine/statistics/estimate.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <boost/math/distributions/students_t.hpp>
#include <doctest/doctest.h>

#include "engine/foundation/expect.hpp"
#include "engine/statistics/bounded_interval.hpp"
#include "engine/statistics/selection/multiple_comparison.hpp"

namespace schedfarm::engine {
namespace {

constexpr auto student = IntervalMethod::student_t;
constexpr auto skewed = IntervalMethod::skew_adjusted;
constexpr auto sequence = IntervalMethod::confidence_sequence;

doctest::Approx near(double value) {
    return doctest::Approx(value).epsilon(1e-12);
}

double boost_t(double confidence, double degrees_of_freedom) {
    return quantile(complement(boost::math::students_t(degrees_of_freedom), (1 - confidence) / 2));
}

/// The skew-adjusted bound as Willink (2005) prints it, with the C library's cube root.
double printed_g(double r, double b) {
    return (std::cbrt(1 + 6 * b * (r - b)) - 1) / (2 * b);
}

TEST_CASE("below two observations there is no estimate") {
    for (const auto method : {student, skewed, sequence}) {
        CHECK_FALSE(estimate_mean({}, 0.95, method));
        CHECK_FALSE(estimate_mean(std::vector<double>{5}, 0.95, method));
    }
    CHECK_FALSE(estimate_ratio({}, {}, 0.95));
    CHECK_FALSE(estimate_ratio(std::vector<double>{5}, std::vector<double>{1}, 0.95));
}

TEST_CASE("the Student interval of a hand-computed sample") {
    // 1 2 3 4 5: mean 3, s² = 10/4, standard error sqrt(2.5/5) = sqrt 0.5; t(4, 0.95) = 2.776445.
    const std::vector<double> sample{1, 2, 3, 4, 5};
    const auto estimate = estimate_mean(sample, 0.95, student);
    REQUIRE(estimate);
    CHECK(estimate->n == 5);
    CHECK(estimate->mean == 3);
    CHECK(estimate->standard_error == near(std::sqrt(0.5)));
    CHECK(estimate->skewness == doctest::Approx(0));
    CHECK(estimate->confidence == 0.95);
    CHECK(estimate->method == student);
    CHECK(estimate->interval.lower == near(3 - boost_t(0.95, 4) * std::sqrt(0.5)));
    CHECK(estimate->interval.upper == near(3 + boost_t(0.95, 4) * std::sqrt(0.5)));
    CHECK(estimate->longer_side() == near(estimate->interval.half_width()));
}

TEST_CASE("two observations give the widest interval") {
    // 0 2: mean 1, standard error 1, t(1, 0.95) = tan(0.475 pi) = 12.7062047361747.
    for (const auto method : {student, skewed}) {
        const auto estimate = estimate_mean(std::vector<double>{0, 2}, 0.95, method);
        CHECK(estimate->interval.upper == near(1 + 12.7062047361747));
        CHECK(estimate->interval.lower == near(1 - 12.7062047361747));
    }
}

TEST_CASE("the skew-adjusted interval follows the printed formula") {
    // 1 2 3 10: mean 4, s = sqrt(50/3), skewness 120 / s³; b = skewness / (6 · 2).
    const std::vector<double> sample{1, 2, 3, 10};
    const double s = std::sqrt(50. / 3);
    const double b = 120 / (s * s * s) / 12;
    const double t = boost_t(0.9, 3);
    const auto estimate = estimate_mean(sample, 0.9, skewed);
    CHECK(estimate->interval.lower == near(4 - printed_g(t, b) * s / 2));
    CHECK(estimate->interval.upper == near(4 - printed_g(-t, b) * s / 2));
    CHECK(estimate->method == skewed);
    // A long right tail: the upper side is the longer one.
    CHECK(estimate->longer_side() == estimate->interval.upper - 4);
    CHECK(estimate->interval.upper - 4 > 4 - estimate->interval.lower);
}

TEST_CASE("a mirrored sample has the mirrored interval") {
    const auto right = estimate_mean(std::vector<double>{1, 2, 3, 10}, 0.95, skewed);
    const auto left = estimate_mean(std::vector<double>{-1, -2, -3, -10}, 0.95, skewed);
    CHECK(left->interval.lower == -right->interval.upper);
    CHECK(left->interval.upper == -right->interval.lower);
}

TEST_CASE("without skewness the skew-adjusted interval is Student's") {
    const std::vector<double> sample{-2, -1, 0, 1, 2};
    CHECK(
        estimate_mean(sample, 0.95, skewed)->interval.upper
        == near(estimate_mean(sample, 0.95, student)->interval.upper)
    );
    // A skewness of rounding errors only must not be divided by itself.
    const std::vector<double> rounded{0.1, 0.2, 0.3, 0.4, 0.5};
    CHECK(
        estimate_mean(rounded, 0.95, skewed)->interval.upper
        == near(estimate_mean(rounded, 0.95, student)->interval.upper)
    );
}

TEST_CASE("the most extreme sample keeps its mean inside the interval") {
    for (const std::size_t n : {3U, 4U, 10U, 64U, 1000U}) {
        std::vector<double> sample(n, 0.0);
        sample.back() = 1;
        const auto estimate = estimate_mean(sample, 0.95, skewed);
        CHECK(estimate->interval.lower < estimate->mean);
        CHECK(estimate->interval.upper > estimate->mean);
        CHECK(std::isfinite(estimate->interval.upper));
    }
}

TEST_CASE("equal observations give an interval of length zero") {
    for (const auto method : {student, skewed, sequence}) {
        const auto estimate = estimate_mean(std::vector<double>(64, 0.1), 0.95, method);
        CHECK(estimate->interval == Interval{0.1, 0.1});
        CHECK(estimate->longer_side() == 0);
    }
}

TEST_CASE("a NaN among the observations shows in the estimate") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto estimate = estimate_mean(std::vector<double>{1, nan, 2}, 0.95, skewed);
    CHECK(std::isnan(estimate->mean));
    CHECK(std::isnan(estimate->interval.lower));
    CHECK(std::isnan(estimate->longer_side()));
}

TEST_CASE("the ratio estimate of a hand-computed sample") {
    // A = 2 3 7, T = 1 2 3: ratio 12/6 = 2, residuals 0 −1 1, s² = 2/2 = 1,
    // standard error 1 / (sqrt 3 · mean T) = 1 / (2 sqrt 3).
    const std::vector<double> numerators{2, 3, 7};
    const std::vector<double> denominators{1, 2, 3};
    const auto estimate = estimate_ratio(numerators, denominators, 0.95);
    REQUIRE(estimate);
    CHECK(estimate->mean == 2);
    CHECK(estimate->n == 3);
    CHECK(estimate->standard_error == near(1 / (2 * std::sqrt(3))));
    CHECK(estimate->interval.upper == near(2 + boost_t(0.95, 2) / (2 * std::sqrt(3))));
    CHECK(estimate->interval.lower == near(2 - boost_t(0.95, 2) / (2 * std::sqrt(3))));
}

TEST_CASE("with negative denominators the ratio is that of the negative numerators") {
    const std::vector<double> negative_numerators{-2, -3, -7};
    const std::vector<double> denominators{1, 2, 3};
    const auto estimate =
        estimate_ratio(std::vector<double>{2, 3, 7}, std::vector<double>{-1, -2, -3}, 0.95);
    const auto mirrored = estimate_ratio(negative_numerators, denominators, 0.95);
    CHECK(estimate->mean == mirrored->mean);
    CHECK(estimate->standard_error == mirrored->standard_error);
    CHECK(estimate->interval.lower == mirrored->interval.lower);
    CHECK(estimate->interval.upper == mirrored->interval.upper);
}

TEST_CASE("with denominators one the ratio is the mean") {
    const std::vector<double> values{1, 2, 3, 10};
    const auto ratio = estimate_ratio(values, std::vector<double>(4, 1.0), 0.95);
    const auto mean = estimate_mean(values, 0.95, student);
    CHECK(ratio->mean == near(mean->mean));
    CHECK(ratio->interval.lower == near(mean->interval.lower));
    CHECK(ratio->interval.upper == near(mean->interval.upper));
}

/// Half the length in standard errors as the paper prints it, with ρ from its
/// approximation for the size at which the sequence is at its shortest.
double printed_sequence_factor(double t, double alpha) {
    const double rho_squared =
        (-2 * std::log(alpha) + std::log(-2 * std::log(alpha) + 1)) / tuned_size;
    return std::sqrt(t)
           * std::sqrt(
               2 * (t * rho_squared + 1) / (t * t * rho_squared)
               * std::log(std::sqrt(t * rho_squared + 1) / alpha)
           );
}

TEST_CASE("the confidence sequence of a hand-computed sample") {
    // 2048 values −1 and 1: mean 0, s² = 2048/2047, standard error 1 / sqrt 2047. At the tuned
    // size v = −2 log .05 + log(1 − 2 log .05) = 5.991465 + log 6.991465 = 7.936155, and
    // 2 · 8.936155 / 7.936155 · (log(8.936155) / 2 + 2.995732) = 9.21249 = 3.035209².
    std::vector<double> sample(2048);
    for (std::size_t i = 0; i < sample.size(); ++i) {
        sample[i] = i % 2 == 0 ? 1 : -1;
    }
    const auto estimate = estimate_mean(sample, 0.95, sequence);
    REQUIRE(estimate);
    CHECK(estimate->method == sequence);
    CHECK(estimate->interval.upper == doctest::Approx(3.035209 / std::sqrt(2047)).epsilon(1e-6));
    CHECK(estimate->interval.lower == near(-estimate->interval.upper));
}

TEST_CASE("the confidence sequence follows the printed formula") {
    for (const std::size_t n : {2U, 10U, 64U, 1000U, 30000U}) {
        for (const double confidence : {0.5, 0.9, 0.95, 0.999}) {
            std::vector<double> sample(n, 1.0);
            sample[0] = 3;  // mean 1 + 2/n, s² = 4 (1/n)(1 − 1/n) n / (n − 1) = 4 / n
            const auto size = static_cast<double>(n);
            const auto estimate = estimate_mean(sample, confidence, sequence);
            const double factor = printed_sequence_factor(size, 1 - confidence);
            CAPTURE(n);
            CAPTURE(confidence);
            CHECK(estimate->interval.upper == near(1 + 2 / size + factor * 2 / size));
            CHECK(estimate->interval.lower == near(1 + 2 / size - factor * 2 / size));
        }
    }
}

TEST_CASE("a confidence sequence is longer than Student's interval and least so at its size") {
    const auto excess = [](std::size_t n) {
        std::vector<double> sample(n, 0.0);
        sample[0] = 1;
        return estimate_mean(sample, 0.95, sequence)->interval.half_width()
               / estimate_mean(sample, 0.95, student)->interval.half_width();
    };
    CHECK(excess(2048) == doctest::Approx(1.55).epsilon(0.002));
    for (const std::size_t n : {64U, 256U, 1024U, 4096U, 16384U}) {
        CHECK(excess(n) > excess(2048));
    }
}

TEST_CASE("the confidence sequence of a ratio uses the residuals") {
    // As above: ratio 2, residuals 0 −1 1, standard error 1 / (2 sqrt 3).
    const std::vector<double> numerators{2, 3, 7};
    const std::vector<double> denominators{1, 2, 3};
    const auto estimate = estimate_ratio(numerators, denominators, 0.9, sequence);
    REQUIRE(estimate);
    CHECK(estimate->method == sequence);
    CHECK(estimate->mean == 2);
    const double side = printed_sequence_factor(3, 0.1) / (2 * std::sqrt(3));
    CHECK(estimate->interval.upper == near(2 + side));
    CHECK(estimate->interval.lower == near(2 - side));
}

TEST_CASE("a skew-adjusted ratio is the skew-adjusted mean of its linearized values") {
    // A = 6 3 13, T = 1 2 3: ratio 22/6 = 11/3, residuals 7/3 −13/3 2; with negative denominators
    // the long tail is on the other side.
    const std::vector<double> numerators{6, 3, 13};
    for (const double sign : {1.0, -1.0}) {
        const std::vector<double> denominators{sign * 1, sign * 2, sign * 3};
        const auto ratio = estimate_ratio(numerators, denominators, 0.9, skewed);
        const auto mean = estimate_mean(linearized_ratio(numerators, denominators), 0.9, skewed);
        CHECK(ratio->method == skewed);
        CHECK(ratio->mean == near(sign * 11 / 3));
        CHECK(sign * ratio->skewness < 0);
        CHECK(ratio->skewness == near(mean->skewness));
        CHECK(ratio->interval.lower == near(mean->interval.lower));
        CHECK(ratio->interval.upper == near(mean->interval.upper));
        CHECK(sign * (ratio->mean - ratio->interval.half_width() - ratio->interval.lower) > 0);
    }
}

TEST_CASE("to a ratio count the observations that bring something") {
    // 36 / 6 = 6; residuals −2, 0, 2, 0: s² = 8 / 3 over 4 and a mean denominator of 1.5, times
    // 3 / 2 · 3 / 4: 1 / 3. Student's t of two degrees of freedom, on a log scale.
    const std::vector<double> sums{4, 0, 14, 18};
    const std::vector<double> jobs{1, 0, 2, 3};
    const auto estimate = estimate_sparse_ratio(sums, jobs, 0.95, skewed);
    CHECK(estimate->n == 4);
    CHECK(estimate->carriers.value() == 3);
    CHECK(estimate->standard_error == doctest::Approx(1 / std::sqrt(3.0)));
    const double half = 4.302652729911275 / std::sqrt(3.0);
    CHECK(estimate->interval.upper == doctest::Approx(6 + half));
    const Interval on_log_scale = interval_within(*estimate, not_negative);
    CHECK(on_log_scale.lower == doctest::Approx(6 * std::exp(-half / 6)));
    CHECK(on_log_scale.upper == doctest::Approx(6 * std::exp(half / 6)));
    CHECK(p_value(*estimate) == doctest::Approx(0.0091).epsilon(0.01));  // t = 6 √3 of 2 degrees
    const auto few =
        estimate_sparse_ratio(std::vector<double>{4, 0, 14}, std::vector<double>{1, 0, 2}, 0.95);
    CHECK(few->mean == 6);
    CHECK(few->has_too_few());
    CHECK(std::isnan(interval_within(*few, not_negative).lower));
    CHECK(std::isnan(p_value(*few)));
    CHECK_FALSE(estimate_sparse_ratio(sums, std::vector<double>{1, 1, 2, 3}, 0.95)->carriers);
}

TEST_CASE("a ratio over nothing is absent") {
    CHECK_FALSE(estimate_ratio(std::vector<double>{1, 2}, std::vector<double>{0, 0}, 0.95));
}

TEST_CASE("broken contracts of the estimates are reported") {
    const std::vector<double> two{1, 2};
    for (const auto method : {student, skewed, sequence}) {
        CHECK_THROWS_AS(estimate_mean(two, 1, method), ContractViolation);
        CHECK_THROWS_AS(estimate_mean(two, 0, method), ContractViolation);
    }
    CHECK_THROWS_AS(estimate_ratio(two, std::vector<double>{1}, 0.95), ContractViolation);
}

}  // namespace
TEST_CASE("linearized values of a ratio have its mean and its standard error") {
    const std::vector<double> sums{6, 0, 15, 8};
    const std::vector<double> counts{2, 0, 3, 5};
    const std::vector<double> values = linearized_ratio(sums, counts);
    // 29 / 10 and a mean count of 2.5: 2.9 + (6 − 2.9 · 2) / 2.5.
    CHECK(values[0] == doctest::Approx(2.98));
    CHECK(values[1] == doctest::Approx(2.9));
    const auto ratio = estimate_ratio(sums, counts, 0.95);
    const auto mean = estimate_mean(values, 0.95, IntervalMethod::student_t);
    CHECK(mean->mean == doctest::Approx(ratio->mean).epsilon(1e-14));
    CHECK(mean->standard_error == doctest::Approx(ratio->standard_error).epsilon(1e-14));
    const std::vector<double> none{0, 0};
    CHECK(std::isnan(linearized_ratio(none, none)[1]));
}

TEST_CASE("the largest share is that of the value farthest from the mean") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    // Mean 2: squares 1, 1, 1, 9.
    CHECK(largest_share(std::vector<double>{1, 1, 1, 5}) == 0.75);
    CHECK(largest_share(std::vector<double>{-1, -5, -1, -1}) == 0.75);
    const std::vector<std::vector<double>> without{{}, {2}, {2, 2}, {1, nan, 5}};
    for (const std::vector<double>& none : without) {
        CHECK(!largest_share(none));
    }
}

}  // namespace schedfarm::engine
