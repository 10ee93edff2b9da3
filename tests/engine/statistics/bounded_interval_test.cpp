#include "engine/statistics/bounded_interval.hpp"

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <doctest/doctest.h>

using namespace schedfarm::engine;  // NOLINT(google-build-using-namespace)

namespace {

Estimate mean_of(
    const std::vector<double>& values, IntervalMethod method = IntervalMethod::skew_adjusted
) {
    return *estimate_mean(values, 0.95, method);
}

bool lies_in(const Interval& interval, const ValueRange& range) {
    return interval.lower >= range.least && interval.upper <= range.greatest;
}

}  // namespace

TEST_CASE("an interval within the range stays as it is to the bit") {
    const Estimate estimate = mean_of({3, 4, 5, 4.5, 3.5});
    CHECK(interval_within(estimate, any_value) == estimate.interval);
    CHECK(interval_within(estimate, not_negative) == estimate.interval);
    CHECK(interval_within(estimate, one_or_more) == estimate.interval);
}

TEST_CASE("an interval that crosses 0 is put on a log scale") {
    const Estimate estimate = mean_of({1, 0.5, 9}, IntervalMethod::student_t);
    REQUIRE(estimate.interval.lower < 0);
    const Interval interval = interval_within(estimate, not_negative);
    // Mean 3.5, standard error 2.7538, t of two degrees of freedom 4.3027: exp(3.3853) = 29.528.
    CHECK(interval.lower == doctest::Approx(3.5 / 29.528).epsilon(1e-4));
    CHECK(interval.upper == doctest::Approx(3.5 * 29.528).epsilon(1e-4));
    const Estimate slower = mean_of({2, 1.5, 10}, IntervalMethod::student_t);
    CHECK(interval_within(slower, one_or_more).lower == doctest::Approx(1 + interval.lower));
    CHECK(interval_within(slower, one_or_more).upper == doctest::Approx(1 + interval.upper));
}

TEST_CASE("an interval of a share that crosses an end is put on a logit scale") {
    const Estimate low = mean_of({0.1, 0.05, 0.9}, IntervalMethod::student_t);
    REQUIRE(low.interval.lower < 0);
    const Interval interval = interval_within(low, a_share);
    // Mean .35, standard error .27538, over .35 · .65: logit −.61904 ± 5.2082.
    CHECK(interval.lower == doctest::Approx(0.0029402).epsilon(1e-3));
    CHECK(interval.upper == doctest::Approx(0.98994).epsilon(1e-3));
    const Interval mirrored =
        interval_within(mean_of({0.9, 0.95, 0.1}, IntervalMethod::student_t), a_share);
    CHECK(mirrored.lower == doctest::Approx(1 - interval.upper));
    CHECK(mirrored.upper == doctest::Approx(1 - interval.lower));
}

TEST_CASE("a share of exactly 0 or 1 has the interval of the rule of three") {
    const Interval none = interval_within(mean_of(std::vector<double>(64, 0)), a_share);
    CHECK(none.lower == 0);
    CHECK(none.upper == doctest::Approx(1 - std::pow(0.05, 1.0 / 64)));  // nearly 3 / 64
    const Interval all = interval_within(mean_of(std::vector<double>(64, 1)), a_share);
    CHECK(all.lower == doctest::Approx(1 - none.upper));
    CHECK(all.upper == 1);
    // Of a time nothing can be said of its mean, and of a share between the ends neither.
    CHECK(interval_within(mean_of({0, 0, 0}), not_negative) == Interval{0, 0});
    CHECK(interval_within(mean_of({0.5, 0.5, 0.5}), a_share) == Interval{0.5, 0.5});
}

TEST_CASE("whatever the replications the interval lies in the range and holds the estimate") {
    std::mt19937_64 random(2026);
    std::uniform_real_distribution<double> uniform(0, 1);
    for (int i = 0; i < 5'000; ++i) {
        std::vector<double> shares(2 + random() % 9);
        std::vector<double> times;
        std::vector<double> slowdowns;
        const double power = 1 + static_cast<double>(random() % 40);
        for (double& share : shares) {
            share = random() % 4 == 0 ? static_cast<double>(random() % 2)
                                      : std::pow(uniform(random), power);
            times.push_back(1e3 * share);
            slowdowns.push_back(1 + 1e3 * share);
        }
        for (const auto method :
             {IntervalMethod::student_t,
              IntervalMethod::skew_adjusted,
              IntervalMethod::confidence_sequence}) {
            const auto expect = [&](const std::vector<double>& values, const ValueRange& range) {
                const Estimate estimate = within(mean_of(values, method), range);
                REQUIRE(lies_in(estimate.interval, range));
                REQUIRE(estimate.interval.contains(estimate.mean));
                REQUIRE(std::isfinite(estimate.longer_side()));
            };
            expect(shares, a_share);
            expect(times, not_negative);
            expect(slowdowns, one_or_more);
        }
    }
}

TEST_CASE("what is no number keeps its interval") {
    const double none = std::numeric_limits<double>::quiet_NaN();
    const Estimate estimate = mean_of({1, none, 2});
    CHECK(std::isnan(interval_within(estimate, not_negative).lower));
    Estimate endless = mean_of({1, 2, 6});
    endless.standard_error = std::numeric_limits<double>::infinity();
    endless.interval = {0.5, std::numeric_limits<double>::infinity()};
    CHECK(interval_within(endless, not_negative) == endless.interval);
}
