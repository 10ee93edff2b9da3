#include "engine/statistics/log_sketch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/elementary.hpp"
#include "engine/foundation/expect.hpp"
#include "engine/foundation/hash.hpp"
#include "engine/statistics/quantile.hpp"

#include "tests/support/within.hpp"

namespace schedfarm::engine {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double smallest_normal = std::numeric_limits<double>::min();
constexpr double largest = std::numeric_limits<double>::max();

double uniform(std::uint64_t seed, std::uint64_t i) {
    return (static_cast<double>(mix(mix(seed) + i) >> 12U) + 0.5) * 0x1p-52;
}

/// Lognormal values around `scale`.
std::vector<double> lognormal(std::uint64_t seed, std::size_t n, double scale, double sigma) {
    std::vector<double> values(n);
    for (std::size_t i = 0; i < n; ++i) {
        values[i] = scale * exponential(sigma * normal_quantile(uniform(seed, i)));
    }
    return values;
}

/// Uniform over the exponents of all normal numbers.
double any_scale(std::uint64_t seed, std::uint64_t i) {
    const int exponent = static_cast<int>(uniform(seed, 2 * i) * 2044) - 1022;
    return std::ldexp(1 + uniform(seed, 2 * i + 1), exponent);
}

SketchBuckets sketch_of(const std::vector<double>& values) {
    LogSketch sketch;
    for (const double value : values) {
        sketch.add(value);
    }
    return sketch.buckets();
}

TEST_CASE("buckets computed by hand") {
    // log γ = log(1.0025 / 0.9975) = 2 artanh 0.0025 = 2 (0.0025 + 0.0025³/3 + …) = 0.00500001042.
    // log 2 / log γ = 0.6931471806 / 0.00500001042 = 138.629: above 138, at most 139.
    CHECK(sketch_index(2) == 139);
    CHECK(sketch_index(0.5) == -138);  // −138.629: above −139, at most −138
    // log 100 = 4.6051701860: 921.032. log 0.001 = −6.9077552790: −1381.548.
    CHECK(sketch_index(100) == 922);
    CHECK(sketch_index(0.001) == -1381);
    // γ^0 = 1 belongs to bucket 0, the next number to bucket 1, γ to 1 and the next to 2.
    const double gamma = 1.0025 / 0.9975;
    CHECK(sketch_index(1) == 0);
    CHECK(sketch_index(std::nextafter(1, 2)) == 1);
    CHECK(sketch_index(gamma) == 1);
    CHECK(sketch_index(std::nextafter(gamma, 2)) == 2);
    CHECK(sketch_range(0).upper == 1);
    CHECK(sketch_range(1).lower == 1);
    CHECK(sketch_range(1).upper == gamma);
    CHECK(sketch_range(2).upper == doctest::Approx(gamma * gamma).epsilon(1e-15));
}

TEST_CASE("every bound belongs to its bucket and the next number to the next bucket") {
    const std::int32_t lowest = sketch_index(smallest_normal);
    const std::int32_t highest = sketch_index(largest);
    // −1022 log 2 / log γ = −141678.99 and 1024 log 2 / log γ = 141956.25.
    CHECK(lowest == -141678);
    CHECK(highest == 141957);
    std::int64_t wrong = 0;
    for (std::int32_t i = lowest; i < highest; ++i) {
        const double bound = sketch_range(i).upper;
        wrong += sketch_index(bound) == i ? 0 : 1;
        wrong += sketch_index(std::nextafter(bound, infinity)) == i + 1 ? 0 : 1;
        wrong += sketch_range(i + 1).lower == bound ? 0 : 1;
        wrong += sketch_range(i).lower < bound ? 0 : 1;
    }
    CHECK(wrong == 0);
}

TEST_CASE("the bucket is that of the logarithm in extended precision") {
    static_assert(std::numeric_limits<long double>::digits >= 64);
    const long double log_gamma = std::log(1.0025L / 0.9975L);
    std::int64_t wrong = 0;
    std::int64_t near_a_bound = 0;
    for (std::uint64_t i = 0; i < 1'000'000; ++i) {
        const double value = any_scale(1, i);
        const long double position = std::log(static_cast<long double>(value)) / log_gamma;
        if (std::fabs(position - std::round(position)) < 1e-9L) {
            ++near_a_bound;  // beyond the accuracy of γ itself
        } else {
            wrong += sketch_index(value) == static_cast<std::int32_t>(std::ceil(position)) ? 0 : 1;
        }
    }
    CHECK(wrong == 0);
    CHECK(near_a_bound < 30);
}

TEST_CASE("a larger value never has a smaller bucket") {
    std::vector<double> values;
    for (std::uint64_t i = 0; i < 200'000; ++i) {
        values.push_back(any_scale(2, i));
        values.push_back(std::nextafter(values.back(), infinity));
        values.push_back(1 + uniform(3, i) / 10);  // many in the same few buckets
    }
    std::sort(values.begin(), values.end());
    std::int64_t falls = 0;
    for (std::size_t i = 1; i < values.size(); ++i) {
        falls += sketch_index(values[i - 1]) <= sketch_index(values[i]) ? 0 : 1;
    }
    CHECK(falls == 0);
}

TEST_CASE("every quantile is accurate at every scale") {
    for (const double scale : {1e-200, 0.01, 1., 3600., 1e200}) {
        for (const double sigma : {0.01, 1., 8.}) {
            std::vector<double> values = lognormal(7, 2001, scale, sigma);
            const SketchBuckets buckets = sketch_of(values);
            std::sort(values.begin(), values.end());
            double worst = 0;
            for (int k = 0; k <= 1000; ++k) {
                const double p = k / 1000.;
                const double exact = values[quantile_place(values.size(), p)];
                worst = std::max(worst, std::fabs(*sketch_quantile(buckets, p) / exact - 1));
            }
            CAPTURE(scale);
            CAPTURE(sigma);
            CHECK(worst <= sketch_accuracy * (1 + 1e-12));
            CHECK(worst > sketch_accuracy * 0.4);  // the bound is not idle
        }
    }
}

TEST_CASE("quantiles of a few values") {
    // 1, 10 and 100: the smallest that at least p of them do not exceed.
    const SketchBuckets buckets = sketch_of({100, 1, 10});
    const auto quantile = [&](double p) {
        return *sketch_quantile(buckets, p);
    };
    CHECK(quantile(0) == doctest::Approx(1).epsilon(sketch_accuracy));
    CHECK(quantile(0.33) == doctest::Approx(1).epsilon(sketch_accuracy));
    CHECK(quantile(0.34) == doctest::Approx(10).epsilon(sketch_accuracy));
    CHECK(quantile(0.5) == doctest::Approx(10).epsilon(sketch_accuracy));
    CHECK(quantile(0.67) == doctest::Approx(100).epsilon(sketch_accuracy));
    CHECK(quantile(1) == doctest::Approx(100).epsilon(sketch_accuracy));
    // Bucket 0 holds γ^−1 … 1: 2 / (γ + 1) = 2 · 0.9975 / (1.0025 + 0.9975) = 0.9975.
    CHECK(quantile(0) == doctest::Approx(0.9975).epsilon(1e-14));
}

TEST_CASE("merging in any order equals adding everything") {
    std::vector<double> all = lognormal(11, 5000, 10, 3);
    all.insert(all.end(), 3, 0.0);
    all.insert(all.end(), 2, infinity);
    std::vector<SketchBuckets> parts;
    for (std::size_t first = 0; first < all.size(); first += 700) {
        const std::size_t last = std::min(all.size(), first + 700);
        parts.push_back(sketch_of(
            {all.begin() + static_cast<std::ptrdiff_t>(first),
             all.begin() + static_cast<std::ptrdiff_t>(last)}
        ));
    }
    const SketchBuckets expected = sketch_of(all);
    const auto by_count = [](const SketchBuckets& a, const SketchBuckets& b) {
        return a.front().count < b.front().count;
    };
    for (int order = 0; order < 3; ++order) {
        LogSketch merged;
        for (const SketchBuckets& part : parts) {
            merged.merge(part);
        }
        CHECK(merged.n() == all.size());
        CHECK(merged.buckets() == expected);
        if (order == 0) {
            std::reverse(parts.begin(), parts.end());
        } else {
            std::sort(parts.begin(), parts.end(), by_count);
        }
    }
    LogSketch pairwise;  // merge and add interleaved
    pairwise.merge(parts[0]);
    for (std::size_t i = 1; i < parts.size(); ++i) {
        LogSketch next;
        next.merge(parts[i]);
        next.merge(pairwise.buckets());
        pairwise = next;
    }
    CHECK(pairwise.buckets() == expected);
}

TEST_CASE("zero and infinity have buckets of their own") {
    const SketchBuckets buckets = sketch_of({infinity, 0, 1, -0.0, smallest_normal / 2, infinity});
    CHECK(buckets == SketchBuckets{{zero_bucket, 3}, {0, 1}, {infinity_bucket, 2}});
    CHECK(*sketch_quantile(buckets, 0.5) == 0);  // three of six
    CHECK(*sketch_quantile(buckets, 0.6) == doctest::Approx(1).epsilon(sketch_accuracy));
    CHECK(*sketch_quantile(buckets, 0.8) == infinity);
    CHECK(sketch_range(zero_bucket).upper == 0);
    CHECK(sketch_range(infinity_bucket).lower == infinity);
}

TEST_CASE("the ends of the range of double") {
    const SketchBuckets buckets = sketch_of({largest, smallest_normal});
    CHECK(*sketch_quantile(buckets, 0) == tests::within(sketch_accuracy, smallest_normal));
    CHECK(std::fabs(*sketch_quantile(buckets, 1) / largest - 1) <= sketch_accuracy);
    CHECK(std::isinf(sketch_range(buckets.back().index).upper));
}

TEST_CASE("an empty sketch has no quantile") {
    CHECK(LogSketch{}.n() == 0);
    CHECK(LogSketch{}.buckets().empty());
    CHECK_FALSE(sketch_quantile({}, 0.5));
    LogSketch merged;
    merged.merge({});
    CHECK(merged.buckets().empty());
}

TEST_CASE("broken contracts of the sketch are reported") {
    LogSketch sketch;
    CHECK_THROWS_AS(sketch.add(-1), ContractViolation);
    CHECK_THROWS_AS(sketch.add(-smallest_normal / 2), ContractViolation);
    CHECK_THROWS_AS(sketch.add(std::nan("")), ContractViolation);
    CHECK_THROWS_AS(sketch.merge({{1'000'000, 1}}), ContractViolation);
    CHECK_THROWS_AS(sketch.merge({{-1'000'000, 1}}), ContractViolation);
    CHECK(sketch.n() == 0);
    CHECK_THROWS_AS(sketch_quantile({}, -0.1), ContractViolation);
    CHECK_THROWS_AS(sketch_quantile({}, 1.1), ContractViolation);
}

}  // namespace
}  // namespace schedfarm::engine
