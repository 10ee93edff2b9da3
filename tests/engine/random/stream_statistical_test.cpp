#include <array>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "engine/random/stream.hpp"

namespace schedfarm::engine {

namespace {

constexpr std::size_t count = 1'000'000;

std::vector<double> uniforms(const Stream& stream, std::uint64_t first = 0) {
    std::vector<std::uint64_t> draws(count);
    stream.fill_draws(first, draws);
    std::vector<double> values;
    values.reserve(count);
    for (const std::uint64_t draw : draws) {
        values.push_back(unit_interval(draw));
    }
    return values;
}

/// Correlation of two uniform samples with known mean 1/2 and variance 1/12, in units of its
/// standard error 1/sqrt(n).
double standardized_correlation(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
        sum += (a[i] - 0.5) * (b[i] - 0.5);
    }
    return 12.0 * sum / std::sqrt(static_cast<double>(count));
}

/// (χ² − df) / sqrt(2 df) of counts that should be equal.
double standardized_chi_square(const std::vector<std::size_t>& counts) {
    double total = 0.0;
    for (const std::size_t n : counts) {
        total += static_cast<double>(n);
    }
    const double expected = total / static_cast<double>(counts.size());
    double chi_square = 0.0;
    for (const std::size_t n : counts) {
        const double difference = static_cast<double>(n) - expected;
        chi_square += difference * difference / expected;
    }
    const auto df = static_cast<double>(counts.size() - 1);
    return (chi_square - df) / std::sqrt(2.0 * df);
}

constexpr double z = 4.5;

constexpr std::array generators{Generator::philox, Generator::mrg32k3a};

}  // namespace

TEST_CASE("every byte of the words is uniform") {
    for (const Generator generator : generators) {
        CAPTURE(generator);
        std::vector<std::uint32_t> words(count);
        Stream(1, Purpose::sizes, 0, generator).fill_words(0, words);
        for (int shift = 0; shift < 32; shift += 8) {
            std::vector<std::size_t> counts(256);
            for (const std::uint32_t word : words) {
                ++counts[(word >> shift) & 255U];
            }
            CHECK(std::fabs(standardized_chi_square(counts)) < z);
        }
    }
}

TEST_CASE("consecutive draws fill the square evenly") {
    for (const Generator generator : generators) {
        CAPTURE(generator);
        const std::vector<double> u = uniforms(Stream(2, Purpose::service, 5, generator));
        std::vector<std::size_t> counts(1024);
        for (std::size_t i = 0; i + 1 < count; i += 2) {
            const auto x = static_cast<std::size_t>(32.0 * u[i]);
            const auto y = static_cast<std::size_t>(32.0 * u[i + 1]);
            ++counts[32 * x + y];
        }
        CHECK(std::fabs(standardized_chi_square(counts)) < z);
    }
}

TEST_CASE("mean and variance of the uniform values are 1/2 and 1/12") {
    for (const Generator generator : generators) {
        CAPTURE(generator);
        // Standard errors: sqrt(1/12 / n) of the mean, sqrt(1/180 / n) of the mean of (u − 1/2)².
        const std::vector<double> u = uniforms(Stream(3, Purpose::arrivals, 0, generator));
        const auto n = static_cast<double>(count);
        double sum = 0.0;
        double squares = 0.0;
        for (const double value : u) {
            sum += value;
            squares += (value - 0.5) * (value - 0.5);
        }
        CHECK(std::fabs(sum / n - 0.5) < z * std::sqrt(1.0 / 12.0 / n));
        CHECK(std::fabs(squares / n - 1.0 / 12.0) < z * std::sqrt(1.0 / 180.0 / n));
    }
}

TEST_CASE("streams of neighbouring replications and purposes and seeds are uncorrelated") {
    for (const Generator generator : generators) {
        CAPTURE(generator);
        const std::vector<double> reference = uniforms(Stream(1, Purpose::arrivals, 0, generator));
        // The measure sees something.
        CHECK(standardized_correlation(reference, reference) > 100.0);
        const std::vector<Stream> others{
            Stream(1, Purpose::arrivals, 1, generator),
            Stream(1, Purpose::arrivals, 2, generator),
            Stream(1, Purpose::sizes, 0, generator),
            Stream(1, Purpose::service, 0, generator),
            Stream(2, Purpose::arrivals, 0, generator),
            Stream(3, Purpose::arrivals, 0, generator),
            Stream(1 + (std::uint64_t{1} << 32), Purpose::arrivals, 0, generator)};
        for (const Stream& other : others) {
            CHECK(std::fabs(standardized_correlation(reference, uniforms(other))) < z);
        }
    }
}

TEST_CASE("a stream is uncorrelated with itself some draws later") {
    for (const Generator generator : generators) {
        CAPTURE(generator);
        const Stream stream(1, Purpose::memory, 3, generator);
        const std::vector<double> reference = uniforms(stream);
        for (const std::uint64_t lag : {1U, 2U, 3U, 4U, 32U, 1000U}) {
            CHECK(std::fabs(standardized_correlation(reference, uniforms(stream, lag))) < z);
        }
    }
}

TEST_CASE("first draws of many replications are uniform") {
    for (const Generator generator : generators) {
        CAPTURE(generator);
        std::vector<std::size_t> counts(256);
        for (std::uint32_t replication = 0; replication < 200'000; ++replication) {
            ++counts[Stream(9, Purpose::arrivals, replication, generator).draw(0) >> 56];
        }
        CHECK(std::fabs(standardized_chi_square(counts)) < z);
    }
}

}  // namespace schedfarm::engine
