// The interval for logs like the one that replications resample, by hand and against its own parts.
// How often it covers: tests/models/trace/resampled_coverage_test.cpp.
#include "engine/statistics/log_interval.hpp"

#include <cmath>
#include <optional>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/expect.hpp"
#include "engine/statistics/stop_rule.hpp"
#include "engine/statistics/student_t.hpp"

namespace schedfarm::engine {

namespace {

/// Of n replications with standard deviation 1.
Estimate of_draws(std::uint64_t n, double mean, double skewness = 0) {
    Estimate estimate;
    estimate.n = n;
    estimate.mean = mean;
    estimate.standard_error = 1 / std::sqrt(static_cast<double>(n));
    estimate.skewness = skewness;
    estimate.confidence = 0.95;
    return estimate;
}

}  // namespace

TEST_CASE("ten blocks and 64 replications by hand") {
    // Degrees of freedom 1 / (1 / 9 + 1 / 63) = 7.875, of which 7; variance 10 / 9 + 1 / 64.
    // Without skewness the interval is Student's, t = 2.364624.
    const Estimate estimate = of_logs_like_it(of_draws(64, 1), {.count = 10});
    CHECK(estimate.n == 8);
    CHECK(estimate.standard_error == doctest::Approx(std::sqrt(10. / 9 + 1. / 64)).epsilon(1e-14));
    const double half = 2.364624 * std::sqrt(10. / 9 + 1. / 64);
    CHECK(estimate.interval.lower == doctest::Approx(1 - half).epsilon(1e-6));
    CHECK(estimate.interval.upper == doctest::Approx(1 + half).epsilon(1e-6));
}

TEST_CASE("replications of other lengths are brought to the log's own") {
    const Estimate estimate = of_logs_like_it(of_draws(100, 1), {2, 0.25});
    CHECK(estimate.n == 2);  // one degree of freedom, however many replications
    CHECK(estimate.standard_error == doctest::Approx(std::sqrt(0.25 * 2 + 0.01)));
    const Estimate all = with_all_draws(of_draws(100, 1), {2, 0.25});
    CHECK(all.standard_error == doctest::Approx(std::sqrt(0.5)));
}

TEST_CASE("the side of the long tail is longer by the series of Hall's transformation") {
    // n = 8, b = .6 / 6 = .1: with q = t + .1 the side is q + .2 q² + .0667 q³.
    const LogBlocks blocks{.count = 10};
    const double t = student_t_two_sided(0.95, 7);
    const double q = t + 0.1;
    const double longer = q + 0.2 * q * q + 0.2 / 3 * q * q * q;
    for (const double skewness : {0.6, -0.6}) {
        const Estimate estimate = of_logs_like_it(of_draws(64, 1, skewness), blocks);
        const double above = (estimate.interval.upper - 1) / estimate.standard_error;
        const double below = (1 - estimate.interval.lower) / estimate.standard_error;
        CHECK((skewness > 0 ? above : below) == doctest::Approx(longer).epsilon(1e-12));
        CHECK((skewness > 0 ? below : above) == doctest::Approx(t).epsilon(1e-12));
    }
}

TEST_CASE("a skewness beyond 1 counts as 1") {
    const LogBlocks blocks{.count = 10};
    const Interval one = of_logs_like_it(of_draws(64, 1, 1), blocks).interval;
    const Interval more = of_logs_like_it(of_draws(64, 1, 7), blocks).interval;
    CHECK(more.upper == doctest::Approx(one.upper).epsilon(1e-14));
    CHECK(more.lower == doctest::Approx(one.lower).epsilon(1e-14));
}

TEST_CASE("a mean of one sign is as skewed as a lognormal one at least, away from 0") {
    // Mean 5, standard deviation 1: skewness 3 · 0.2 + 0.2³ = 0.608. Five times the deviation makes
    // a coefficient of variation of 1, with which the mean may have either sign.
    const LogBlocks blocks{.count = 10};
    const auto sides = [&blocks](double mean, double skewness, double ratio = 1) {
        LogBlocks own = blocks;
        own.variance_ratio = ratio;
        return of_logs_like_it(of_draws(64, mean, skewness), own);
    };
    CHECK(sides(5, 0).interval.upper == doctest::Approx(sides(5, 0.608).interval.upper));
    CHECK(sides(5, 0).interval.lower == doctest::Approx(sides(5, 0.608).interval.lower));
    CHECK(sides(5, 0.9).interval.upper > sides(5, 0).interval.upper);
    CHECK(sides(-5, 0).interval.lower == doctest::Approx(-sides(5, 0).interval.upper));
    CHECK(sides(-5, 0).interval.upper == doctest::Approx(-sides(5, 0).interval.lower));
    CHECK(sides(5, 0, 25).skewness == 0);
    CHECK(sides(1.9, 0).skewness == 0);
    // A tail towards 0 stays: it is what a verdict must beware of.
    CHECK(sides(5, -0.1).skewness == doctest::Approx(-0.1 * std::sqrt(8.0)));
    // The side towards 0, by which differences are judged, is that of Student's t.
    CHECK(log_p_value(sides(5, 0)) == doctest::Approx(log_p_value(sides(5, 0.3))));
}

TEST_CASE("more replications do not shorten it beyond what the log leaves open") {
    double side = 1e9;
    for (const std::uint64_t n : {2U, 10U, 64U, 1000U, 1000000U}) {
        const double own = of_logs_like_it(of_draws(n, 1), {.count = 10}).longer_side();
        CHECK(own < side);
        side = own;
    }
    CHECK(side > student_t_two_sided(0.95, 9) * std::sqrt(10. / 9));
}

TEST_CASE("the p-value is that of the interval that ends at 0") {
    const LogBlocks blocks{.count = 10};
    for (const double mean : {-40.0, -3.0, -0.5, 0.2, 1.5, 4.0}) {
        for (const double skewness : {-1.2, 0.0, 0.4}) {
            const Estimate estimate = of_logs_like_it(of_draws(64, mean, skewness), blocks);
            const double p = log_p_value(estimate);
            CAPTURE(mean);
            CAPTURE(skewness);
            REQUIRE(p > 0);
            REQUIRE(p <= 1);
            if (p < 1) {
                const Interval interval = log_interval(estimate, 1 - p);
                const double end = mean > 0 ? interval.lower : interval.upper;
                CHECK(end == doctest::Approx(0).scale(std::fabs(mean)).epsilon(1e-6));
            }
        }
    }
    CHECK(log_p_value(of_logs_like_it(of_draws(64, 0, 0.4), blocks)) == 1);
}

TEST_CASE("a precision that the log cannot have ends at the first checkpoint") {
    // Standard deviation 1, ten blocks: the longer side is above 2.26 however many replications.
    std::vector<double> values;
    for (int i = 0; i < 1000; ++i) {
        values.push_back(i % 2 == 0 ? 10 : 12);
    }
    const auto decided = [&values](double precision, std::optional<LogBlocks> log) {
        PrecisionTarget target;
        target.absolute = precision;
        target.log = log;
        const std::vector<TargetObservations> targets{{target, values, {}}};
        return decide(targets, 1000, {.min = 64, .max = 1000});
    };
    const LogBlocks blocks{.count = 10};
    CHECK(decided(2, blocks).state == StopState::out_of_reach);
    CHECK(decided(2, blocks).n == 64);
    CHECK(decided(4, blocks).state == StopState::met);
    CHECK(decided(2, std::nullopt).state == StopState::met);
}

TEST_CASE("one block or one replication has no such interval") {
    CHECK_THROWS_AS(of_logs_like_it(of_draws(64, 1), {.count = 1}), ContractViolation);
    CHECK_THROWS_AS(of_logs_like_it(of_draws(1, 5), {.count = 10}), ContractViolation);
}

}  // namespace schedfarm::engine
