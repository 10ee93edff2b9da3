#include "engine/statistics/selection/multiple_comparison.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/expect.hpp"
#include "engine/statistics/selection/comparison.hpp"

#include "tests/engine/statistics/normal_draws.hpp"

namespace schedfarm::engine {
namespace {

using Values = std::vector<double>;

/// Holm by the closure principle (Marcus, Peritz & Gabriel 1976): comparison i is rejected where
/// every set of comparisons that holds it is rejected by Bonferroni.
Values holm_by_closure(const Values& p) {
    Values adjusted(p.size(), 0.0);
    for (unsigned set = 1; set < 1U << p.size(); ++set) {
        double smallest = 1;
        unsigned size = 0;
        for (std::size_t i = 0; i < p.size(); ++i) {
            if ((set >> i & 1U) != 0) {
                smallest = std::min(smallest, p[i]);
                ++size;
            }
        }
        for (std::size_t i = 0; i < p.size(); ++i) {
            if ((set >> i & 1U) != 0) {
                adjusted[i] = std::max(adjusted[i], std::min(1., size * smallest));
            }
        }
    }
    return adjusted;
}

double variance_without(const Values& values, std::size_t left_out) {
    double sum = 0;
    double n = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        sum += i == left_out ? 0 : values[i];
        n += i == left_out ? 0 : 1;
    }
    double squares = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        squares += i == left_out ? 0 : (values[i] - sum / n) * (values[i] - sum / n);
    }
    return squares / (n - 1);
}

TEST_CASE("the p value is that of the t test") {
    // t = 2 / 0.5 = 4 with 2 degrees of freedom: P(|T| > t) = 1 − t / sqrt(t² + 2).
    Estimate difference;
    difference.n = 3;
    difference.mean = -2;
    difference.standard_error = 0.5;
    CHECK(p_value(difference) == doctest::Approx(1 - 4 / std::sqrt(18)).epsilon(1e-13));
    // With 1 degree of freedom (Cauchy) t = 1 has the p-value 1/2.
    difference.n = 2;
    difference.standard_error = 2;
    CHECK(p_value(difference) == doctest::Approx(0.5).epsilon(1e-13));
}

TEST_CASE("the e value is the mean of three likelihood ratios of t") {
    // t = 3 / 1.5 = 2 with 3 degrees of freedom: 1 + t² / 3 = 7 / 3 over 1 + t² / (3 g), squared,
    // over sqrt g, g = 1 + 4 τ²: 1.04, 1.25 and 2.
    Estimate difference;
    difference.n = 4;
    difference.mean = -3;
    difference.standard_error = 1.5;
    const double by_hand = (1.0251471 + 1.1401385 + 1.3859293) / 3;
    CHECK(e_value(difference) == doctest::Approx(by_hand).epsilon(1e-6));
    // Of six ratios four bring something, on whose number t rests, whatever the skewness.
    difference.n = 6;
    difference.method = IntervalMethod::skew_adjusted;
    difference.skewness = 2;
    difference.carriers = 4;
    CHECK(e_value(difference) == doctest::Approx(by_hand).epsilon(1e-6));
    difference.carriers = 2;
    CHECK(std::isnan(e_value(difference)));
    // b = 2 / 36 and the pivot −2: t = −2 (1 − 4b + 16/3 b²) + b.
    difference.carriers.reset();
    difference.n = 36;
    const double b = 2.0 / 36;
    Estimate plain = difference;
    plain.method = IntervalMethod::student_t;
    plain.mean = 1.5 * (-2 * (1 - 4 * b + 16.0 / 3 * b * b) + b);
    CHECK(e_value(difference) == doctest::Approx(e_value(plain)).epsilon(1e-12));
}

TEST_CASE("an e value is finite") {
    Estimate difference;
    difference.n = 3000;
    CHECK(e_value(difference) < 1);  // a difference of 0 in every pair
    difference.mean = 1e-9;
    CHECK(e_value(difference) > 1e300);
    CHECK(std::isfinite(e_value(difference)));
}

TEST_CASE("a skew-adjusted difference has the p value at whose interval it ends") {
    const Values values{0.1, 0.4, 0.2, 5.5, 1.2, 0.3, 0.9, 2.6, 0.2, 0.6};
    for (const double shift : {-0.7, 0.0, 0.4, 1.0, 1.5, 2.5}) {
        Values differences = values;
        for (double& value : differences) {
            value -= shift;
        }
        const auto at = [&](double confidence) {
            return *estimate_mean(differences, confidence, IntervalMethod::skew_adjusted);
        };
        const double p = p_value(at(0.95));
        CAPTURE(shift);
        CHECK(p > 0);
        CHECK(p < 1);
        const Interval interval = at(1 - p).interval;
        const double nearest = std::min(std::fabs(interval.lower), std::fabs(interval.upper));
        CHECK(nearest < 1e-9 * interval.half_width());
    }
    const double both = p_value(*estimate_mean(values, 0.95, IntervalMethod::skew_adjusted));
    CHECK(both != p_value(*estimate_mean(values, 0.95, IntervalMethod::student_t)));
}

TEST_CASE("differences without variance have the p values 1 and next to 0") {
    Estimate difference;
    difference.n = 5;
    CHECK(p_value(difference) == 1);
    difference.mean = 1e-9;
    CHECK(p_value(difference) == std::numeric_limits<double>::min());
    difference.mean = std::numeric_limits<double>::quiet_NaN();
    difference.standard_error = difference.mean;
    CHECK(std::isnan(p_value(difference)));
}

TEST_CASE("Holm on four p values by hand") {
    // In order 0.005, 0.01, 0.03, 0.04 times 4, 3, 2, 1: 0.02, 0.03, 0.06, 0.04 → 0.06. At α = 0.05
    // two are rejected at the levels 1 − α/4 and 1 − α/3; the two others share 1 − α/2.
    const auto results = holm(Values{0.01, 0.04, 0.03, 0.005}, 0.95);
    REQUIRE(results.size() == 4);
    CHECK(results[3].adjusted_p == doctest::Approx(0.02).epsilon(1e-14));
    CHECK(results[0].adjusted_p == doctest::Approx(0.03).epsilon(1e-14));
    CHECK(results[2].adjusted_p == doctest::Approx(0.06).epsilon(1e-14));
    CHECK(results[1].adjusted_p == doctest::Approx(0.06).epsilon(1e-14));
    CHECK(results[3].confidence == doctest::Approx(0.9875).epsilon(1e-14));
    CHECK(results[0].confidence == doctest::Approx(1 - 0.05 / 3).epsilon(1e-14));
    CHECK(results[2].confidence == doctest::Approx(0.975).epsilon(1e-14));
    CHECK(results[1].confidence == doctest::Approx(0.975).epsilon(1e-14));
}

TEST_CASE("a p value of just what is allowed is rejected") {
    // α = 1/2, exact in binary: 2 · 1/4 <= 1/2 is rejected, and the second is compared with all of
    // α.
    const auto results = holm(Values{0.25, 0.75}, 0.5);
    CHECK(results[0].confidence == 0.75);
    CHECK(results[1].confidence == 0.5);
}

TEST_CASE("equal p values are ranked by position and adjusted alike") {
    // 2 · 0.016 = 0.032 <= 0.05, then max(0.032, 0.016): both rejected.
    const auto both = holm(Values{0.016, 0.016}, 0.95);
    CHECK(both[0].adjusted_p == both[1].adjusted_p);
    CHECK(both[0].confidence == doctest::Approx(0.975).epsilon(1e-14));
    CHECK(both[1].confidence == doctest::Approx(0.95).epsilon(1e-14));
    // 3 · 0.02 > 0.05: none is rejected and all keep the first level.
    for (const HolmResult& result : holm(Values{0.02, 0.02, 0.02}, 0.95)) {
        CHECK(result.adjusted_p == doctest::Approx(0.06).epsilon(1e-14));
        CHECK(result.confidence == doctest::Approx(1 - 0.05 / 3).epsilon(1e-14));
    }
}

TEST_CASE("Holm counts a NaN as 1 and takes no and one comparison") {
    CHECK(holm({}, 0.95).empty());
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto results = holm(Values{nan, 0.001}, 0.95);
    CHECK(results[0].adjusted_p == 1);
    CHECK(results[0].confidence == doctest::Approx(0.95).epsilon(1e-14));
    CHECK(results[1].adjusted_p == doctest::Approx(0.002).epsilon(1e-14));
    CHECK(holm(Values{0.2}, 0.9)[0].confidence == doctest::Approx(0.9).epsilon(1e-14));
    CHECK_THROWS_AS(holm(Values{0.2}, 1), ContractViolation);
}

TEST_CASE("Holm equals the closed test of Bonferroni and is monotone") {
    for (std::uint32_t run = 0; run < 200; ++run) {
        Values p;
        for (const double z : normal_draws(1, run, 6)) {
            p.push_back(std::min(1., std::fabs(z) * (run % 2 == 0 ? 0.02 : 0.3)));
        }
        p[run % 6] = p[(run + 1) % 6];
        const Values closed = holm_by_closure(p);
        const auto results = holm(p, 0.95);
        for (std::size_t i = 0; i < p.size(); ++i) {
            CHECK(results[i].adjusted_p == doctest::Approx(closed[i]).epsilon(1e-14));
            for (std::size_t j = 0; j < p.size(); ++j) {
                CHECK_FALSE((p[i] < p[j] && results[i].adjusted_p > results[j].adjusted_p));
                CHECK_FALSE((p[i] < p[j] && results[i].confidence < results[j].confidence));
            }
        }
    }
}

TEST_CASE("an interval excludes zero exactly where Holm rejects") {
    constexpr std::size_t pairs = 6;
    constexpr std::size_t n = 12;
    std::size_t rejected = 0;
    for (std::uint32_t run = 0; run < 1000; ++run) {
        const Values noise = normal_draws(2, run, pairs * n);
        std::vector<Values> samples;
        Values p;
        for (std::size_t pair = 0; pair < pairs; ++pair) {
            Values sample(noise.begin() + static_cast<std::ptrdiff_t>(pair * n), noise.end());
            sample.resize(n);
            for (double& value : sample) {
                value += 0.3 * static_cast<double>(pair);
            }
            p.push_back(p_value(*estimate_mean(sample, 0.5, IntervalMethod::student_t)));
            samples.push_back(sample);
        }
        const auto results = holm(p, 0.95);
        for (std::size_t pair = 0; pair < pairs; ++pair) {
            const auto own =
                estimate_mean(samples[pair], results[pair].confidence, IntervalMethod::student_t);
            const bool is_rejected = results[pair].adjusted_p <= 1 - 0.95;
            CHECK(own->interval.contains(0) != is_rejected);
            rejected += is_rejected ? 1U : 0U;
        }
    }
    CHECK(rejected > 500);
    CHECK(rejected < 5500);
}

TEST_CASE("the width reduction is the plain jackknife on the logarithm") {
    const Values noise = normal_draws(3, 0, 45);
    Values a;
    Values b;
    Values difference;
    for (std::size_t i = 0; i < 15; ++i) {
        a.push_back(2 * noise[i] + noise[15 + i]);
        b.push_back(2 * noise[i] + 0.5 * noise[30 + i]);
        difference.push_back(a[i] - b[i]);
    }
    const auto statistic = [&](std::size_t left_out) {
        return 0.5
               * std::log(
                   (variance_without(a, left_out) + variance_without(b, left_out))
                   / variance_without(difference, left_out)
               );
    };
    Values pseudo;
    for (std::size_t i = 0; i < 15; ++i) {
        pseudo.push_back(15 * statistic(99) - 14 * statistic(i));
    }
    const auto plain = estimate_mean(pseudo, 0.9, IntervalMethod::student_t);
    const auto estimate = width_reduction(a, b, 0.9);
    REQUIRE(estimate);
    CHECK(estimate->n == 15);
    CHECK(estimate->confidence == 0.9);
    CHECK(estimate->mean == doctest::Approx(std::exp(plain->mean)).epsilon(1e-12));
    CHECK(
        estimate->standard_error
        == doctest::Approx(plain->standard_error * std::exp(plain->mean)).epsilon(1e-10)
    );
    CHECK(estimate->interval.lower == doctest::Approx(std::exp(plain->interval.lower)));
    CHECK(estimate->interval.upper == doctest::Approx(std::exp(plain->interval.upper)));
}

TEST_CASE("the width reduction of scaled copies is exact") {
    // b = 2a: (1 + 4) / (1 − 2)² = 5 whatever is left out.
    Values a = normal_draws(4, 0, 10);
    Values b = a;
    for (double& value : b) {
        value *= 2;
    }
    const auto estimate = width_reduction(a, b, 0.95);
    REQUIRE(estimate);
    CHECK(estimate->mean == doctest::Approx(std::sqrt(5)).epsilon(1e-13));
    CHECK(estimate->interval.half_width() < 1e-12);
}

TEST_CASE("the width reduction is absent where it is not defined") {
    const Values a = normal_draws(5, 0, 10);
    CHECK_FALSE(width_reduction(std::span(a).first(9), std::span(a).first(9), 0.95));
    CHECK_FALSE(width_reduction(a, a, 0.95));
    // Without the first pair the difference is constant.
    Values b = a;
    b[0] += 1;
    CHECK_FALSE(width_reduction(a, b, 0.95));
    CHECK_THROWS_AS(width_reduction(a, std::span(a).first(9), 0.95), ContractViolation);
}

}  // namespace
}  // namespace schedfarm::engine
