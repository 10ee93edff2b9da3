#include "engine/foundation/elementary.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include "engine/foundation/expect.hpp"
#include "engine/foundation/hash.hpp"
#include "engine/foundation/normal_quantiles.hpp"

#include "tests/support/within.hpp"

namespace schedfarm::engine {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double smallest_normal = std::numeric_limits<double>::min();

/// Reproducible doubles for arguments.
class Numbers {
  public:
    std::uint64_t word() { return mix(++count_ * 0x9e3779b97f4a7c15U); }
    double between(double low, double high) {
        return low + (high - low) * (static_cast<double>(word() >> 11) * 0x1p-53);
    }
    /// Any positive finite double, subnormals too, each exponent equally often.
    double positive() { return std::bit_cast<double>(word() % 0x7ff0000000000000U); }
    double normal() { return std::max(positive(), smallest_normal); }

  private:
    std::uint64_t count_ = 0;
};

/// Distance from the exact value in units of the last place of its rounding to double.
double ulps(double value, long double exact) {
    const double magnitude = std::fabs(static_cast<double>(exact));
    const long double unit = std::nextafter(magnitude, infinity) - magnitude;
    return static_cast<double>(std::fabs(value - exact) / unit);
}

bool same_bits(double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

}  // namespace

TEST_CASE("exponential is within 1 ulp of the long double library") {
    Numbers numbers;
    double worst = 0.0;
    for (int i = 0; i < 2'000'000; ++i) {
        const double x = i % 2 == 0 ? numbers.between(-745.0, 709.7) : numbers.between(-1.0, 1.0);
        worst = std::max(worst, ulps(exponential(x), std::exp(static_cast<long double>(x))));
    }
    MESSAGE("largest error of exponential: " << worst << " ulp");
    CHECK(worst < 1.0);
}

TEST_CASE("exponential at its edges") {
    CHECK(exponential(0.0) == 1.0);
    CHECK(exponential(-0.0) == 1.0);
    CHECK(exponential(infinity) == infinity);
    CHECK(same_bits(exponential(-infinity), 0.0));
    CHECK(std::isnan(exponential(std::numeric_limits<double>::quiet_NaN())));
    CHECK(exponential(709.782712893384) == doctest::Approx(1.797693134862273e308).epsilon(1e-12));
    CHECK(exponential(709.7827128933841) == infinity);
    CHECK(exponential(-745.1332191019411) == std::numeric_limits<double>::denorm_min());
    CHECK(same_bits(exponential(-745.2), 0.0));
    CHECK(exponential(1e-300) == 1.0);
}

TEST_CASE("logarithm is within 1 ulp of the long double library") {
    Numbers numbers;
    double worst = 0.0;
    for (int i = 0; i < 2'000'000; ++i) {
        const double x = i % 3 == 0 ? numbers.positive() : numbers.between(0.0, 2.0);
        if (x != 1.0 && x > 0.0) {
            worst = std::max(worst, ulps(logarithm(x), std::log(static_cast<long double>(x))));
        }
    }
    MESSAGE("largest error of logarithm: " << worst << " ulp");
    CHECK(worst < 1.0);
}

TEST_CASE("logarithm at its edges") {
    CHECK(same_bits(logarithm(1.0), 0.0));
    CHECK(logarithm(0.0) == -infinity);
    CHECK(logarithm(-0.0) == -infinity);
    CHECK(std::isnan(logarithm(-1.0)));
    CHECK(std::isnan(logarithm(-infinity)));
    CHECK(std::isnan(logarithm(std::numeric_limits<double>::quiet_NaN())));
    CHECK(logarithm(infinity) == infinity);
    // ln 2^-1074 = −1074 ln 2
    CHECK(logarithm(0x1p-1074) == doctest::Approx(-744.4400719213812).epsilon(1e-15));
}

TEST_CASE("the batch logarithm has the bits of the scalar one") {
    constexpr std::size_t batch = 1021;  // not a multiple of a vector
    Numbers numbers;
    std::vector<double> in(batch);
    std::vector<double> out(batch);
    std::size_t differences = 0;
    for (int round = 0; round < 4000; ++round) {
        for (double& x : in) {
            x = round % 2 == 0 ? numbers.normal() : numbers.between(0x1p-53, 1.0);
        }
        logarithms(in, out);
        for (std::size_t i = 0; i < batch; ++i) {
            differences += same_bits(out[i], logarithm(in[i])) ? 0U : 1U;
        }
    }
    CHECK(differences == 0);
}

TEST_CASE("the batch logarithm works in place and for every length") {
    for (std::size_t length = 0; length < 40; ++length) {
        std::vector<double> values(length);
        std::vector<double> expected(length);
        for (std::size_t i = 0; i < length; ++i) {
            values[i] = 0.1 + static_cast<double>(i);
            expected[i] = logarithm(values[i]);
        }
        logarithms(values, values);
        CHECK(values == expected);
    }
    std::vector<double> one(1);
    CHECK_THROWS_AS(logarithms(one, {}), ContractViolation);
}

TEST_CASE("the batch exponential has the bits of the scalar one") {
    constexpr std::size_t batch = 1021;  // not a multiple of a vector
    Numbers numbers;
    std::vector<double> in(batch);
    std::vector<double> out(batch);
    std::size_t differences = 0;
    for (int round = 0; round < 400; ++round) {
        // From far below 1 to results that are subnormal and nearly too large.
        const double reach = round % 2 == 0 ? 3.0 : 709.7;
        for (double& x : in) {
            x = numbers.between(reach > 700 ? -745.1 : -reach, reach);
        }
        in[0] = round % 3 == 0 ? 0.0 : -0.0;
        exponentials(in, out);
        for (std::size_t i = 0; i < batch; ++i) {
            differences += same_bits(out[i], exponential(in[i])) ? 0U : 1U;
        }
    }
    CHECK(differences == 0);
}

TEST_CASE("the batch exponential works in place and for every length and beyond its range") {
    const std::vector<double> edges = {
        infinity,
        -infinity,
        std::numeric_limits<double>::quiet_NaN(),
        709.782712893383973096,
        709.783,
        -745.133219101941108420,
        -745.134};
    for (const double edge : edges) {
        for (std::size_t length = 0; length < 40; ++length) {
            std::vector<double> values(length, 1.0);
            for (std::size_t i = 0; i < length; ++i) {
                values[i] = i == length / 2 ? edge : 0.1 + static_cast<double>(i);
            }
            const std::vector<double> arguments = values;
            exponentials(values, values);
            for (std::size_t i = 0; i < length; ++i) {
                CHECK(same_bits(values[i], exponential(arguments[i])));
            }
        }
    }
    std::vector<double> one(1);
    CHECK_THROWS_AS(exponentials(one, {}), ContractViolation);
}

TEST_CASE("power is within 2 ulp of the long double library") {
    Numbers numbers;
    double worst = 0.0;
    for (int i = 0; i < 2'000'000; ++i) {
        const double x = i % 2 == 0 ? numbers.positive() : numbers.between(0.0, 3.0);
        const double y = numbers.between(-700.0, 700.0) / std::fabs(std::log(x));
        const long double exact =
            std::pow(static_cast<long double>(x), static_cast<long double>(y));
        worst = std::max(worst, ulps(power(x, y), exact));
    }
    MESSAGE("largest error of power: " << worst << " ulp");
    CHECK(worst < 2.0);
}

TEST_CASE("power of small integers is within 2 ulp and squares are near exact") {
    for (int base = 1; base <= 20; ++base) {
        for (int exponent = -30; exponent <= 30; ++exponent) {
            const long double exact = std::pow(static_cast<long double>(base), exponent);
            CHECK(ulps(power(base, exponent), exact) < 2.0);
        }
    }
}

TEST_CASE("power at its edges agrees with the C library for x >= 0") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<double> points{
        0.0,
        0x1p-1074,
        1e-310,
        1e-300,
        0.5,
        1.0,
        1.5,
        2.0,
        1e300,
        infinity,
        nan,
        1e-17,
        3e9,
        1e19,
        1.0 + 0x1p-52};
    for (const double x : points) {
        for (const double y : points) {
            for (const double signed_y : {y, -y}) {
                CAPTURE(x);
                CAPTURE(signed_y);
                const double expected = std::pow(x, signed_y);
                const double actual = power(x, signed_y);
                const bool agree = std::isnan(expected) ? std::isnan(actual)
                                   : std::isinf(expected) || expected == 0.0
                                       ? actual == expected
                                       : ulps(actual, expected) <= 2.0;
                CHECK(agree);
            }
        }
    }
    CHECK(std::isnan(power(-2.0, 2.0)));
    CHECK(power(-2.0, 0.0) == 1.0);
}

TEST_CASE("gamma_function agrees with the long double library") {
    Numbers numbers;
    double worst = 0.0;
    for (int i = 0; i < 100'000; ++i) {
        const double x = i % 2 == 0 ? numbers.between(1.0, 4.0) : numbers.between(1.0, 170.0);
        const long double exact = std::tgamma(static_cast<long double>(x));
        const auto error = static_cast<double>(std::fabs(gamma_function(x) / exact - 1.0L));
        worst = std::max(worst, error);
    }
    MESSAGE("largest relative error of gamma_function: " << worst);
    CHECK(worst < 2e-15);
    CHECK_THROWS_AS(gamma_function(0.5), ContractViolation);
    CHECK_THROWS_AS(gamma_function(171.0), ContractViolation);
}

TEST_CASE("normal_probability agrees with the long double library") {
    Numbers numbers;
    double worst = 0.0;
    for (int i = 0; i < 1'000'000; ++i) {
        const double x = i % 2 == 0 ? numbers.between(-37.0, 10.0) : numbers.between(-6.0, 6.0);
        const long double exact = 0.5L * std::erfc(-static_cast<long double>(x) / std::sqrt(2.0L));
        const auto error = static_cast<double>(std::fabs(normal_probability(x) / exact - 1.0L));
        worst = std::max(worst, error);
    }
    MESSAGE("largest relative error of normal_probability: " << worst);
    CHECK(worst < 2e-15);
}

TEST_CASE("normal_probability at its edges and its seams") {
    CHECK(normal_probability(0.0) == 0.5);
    CHECK(normal_probability(infinity) == 1.0);
    CHECK(same_bits(normal_probability(-infinity), 0.0));
    CHECK(same_bits(normal_probability(-39.0), 0.0));
    CHECK(std::isnan(normal_probability(std::numeric_limits<double>::quiet_NaN())));
    CHECK(normal_probability(-38.0) == tests::within(1e-6, 2.885428360068e-316));
    for (const double seam : {0.67448975, std::sqrt(32.0), 40.0}) {
        for (const double x : {seam, -seam}) {
            const double after = std::nextafter(x, infinity);
            CHECK(normal_probability(after) >= normal_probability(x) * (1.0 - 1e-15));
            CHECK(normal_probability(after) <= normal_probability(x) * (1.0 + 1e-14));
        }
    }
}

TEST_CASE("normal_quantile inverts the normal distribution function") {
    Numbers numbers;
    double worst = 0.0;
    for (int i = 0; i < 500'000; ++i) {
        const double p = i % 2 == 0 ? numbers.between(1e-12, 1.0 - 1e-12)
                                    : std::exp2(numbers.between(-1000.0, -1.1));
        const double z = normal_quantile(p);
        // One Newton step z − (Φ(z) − p) / φ(z) from the upper tail of the smaller side.
        const long double x = std::fabs(static_cast<long double>(z));
        const long double side = p < 0.5 ? p : 1.0L - static_cast<long double>(p);
        const long double upper = 0.5L * std::erfc(x / std::sqrt(2.0L));
        const long double density = std::exp(-0.5L * x * x) * 0.398942280401432677939946L;
        const long double step = (upper - side) / density;
        worst = std::max(worst, static_cast<double>(std::fabs(step) / std::max(x, 0.1L)));
    }
    MESSAGE("largest relative error of normal_quantile: " << worst);
    CHECK(worst < 1e-15);
}

TEST_CASE("normal quantiles of an array are those of its values to the bit") {
    Numbers numbers;
    for (std::size_t size = 0; size < 600; size += 1 + size / 3) {
        std::vector<double> values(size);
        for (double& value : values) {
            value = numbers.between(1e-12, 1.0 - 1e-12);
        }
        std::vector<double> expected = values;
        for (double& value : expected) {
            value = normal_quantile(value);
        }
        normal_quantiles(values);
        CHECK(values == expected);
    }
    std::vector<double> seams{0.075, 0.925, std::nextafter(0.075, 0.0), std::nextafter(0.925, 1.0)};
    const double first = normal_quantile(seams[0]);
    const double last = normal_quantile(seams[3]);
    normal_quantiles(seams);
    CHECK(seams[0] == first);
    CHECK(seams[3] == last);
    std::vector<double> wrong{0.5, 1.0};
    CHECK_THROWS_AS(normal_quantiles(wrong), ContractViolation);
}

TEST_CASE("normal_quantile has the published values and is antisymmetric") {
    // Wichura 1988, test values.
    CHECK(normal_quantile(0.25) == doctest::Approx(-0.6744897501960817).epsilon(1e-15));
    CHECK(normal_quantile(0.001) == doctest::Approx(-3.090232306167814).epsilon(1e-15));
    CHECK(normal_quantile(1e-20) == doctest::Approx(-9.262340089798408).epsilon(1e-15));
    CHECK(normal_quantile(0.5) == 0.0);
    CHECK(normal_quantile(0x1p-53) == -normal_quantile(1.0 - 0x1p-53));
    for (const double p : {0.0, 1.0, -0.5, std::numeric_limits<double>::quiet_NaN()}) {
        CHECK_THROWS_AS(normal_quantile(p), ContractViolation);
    }
}

}  // namespace schedfarm::engine
