// Distributions of times (real) and of sizes (integer), our own code so that every platform gives
// the same bits. Objects are immutable and may be shared between replications.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/foundation/parameters.hpp"
#include "engine/random/stream.hpp"

namespace schedfarm::engine {

/// A distribution on the non-negative reals.
class TimeDistribution {
  public:
    TimeDistribution() = default;
    TimeDistribution(const TimeDistribution&) = delete;
    TimeDistribution& operator=(const TimeDistribution&) = delete;
    virtual ~TimeDistribution() = default;

    virtual double mean() const = 0;
    /// Squared coefficient of variation, variance / mean^2; may be infinite.
    virtual double squared_variation() const = 0;
    /// Whether the mean of 1 / value is finite: with it that of slowdown is. It is not where values
    /// near 0 are about as likely as any, as those of the exponential distribution.
    virtual bool has_mean_reciprocal() const = 0;

    /// Values number first, first + 1, … of the stream: a pure function of the index, however the
    /// range is cut into calls.
    virtual void fill(const Stream& stream, std::uint64_t first, std::span<double> out) const = 0;
};

/// A distribution on the integers low() … high(), low() >= 1.
class SizeDistribution {
  public:
    SizeDistribution() = default;
    SizeDistribution(const SizeDistribution&) = delete;
    SizeDistribution& operator=(const SizeDistribution&) = delete;
    virtual ~SizeDistribution() = default;

    virtual std::uint32_t low() const = 0;
    virtual std::uint32_t high() const = 0;
    /// P(size = n) for n = 0 … high(), as defined; the map realizes them to 2^-32.
    virtual std::vector<double> probabilities() const = 0;
    virtual double mean() const = 0;

    /// Maps words of a stream to sizes, one word each; in and out may not overlap.
    /// REQUIRES: equal lengths. ENSURES: a larger word never gives a smaller size.
    virtual void map(std::span<const std::uint32_t> words, std::span<std::uint32_t> out) const = 0;
};

/// exponential, deterministic, erlang, hyperexponential, exponential_mixture, lognormal, weibull,
/// gamma, pareto, bounded_pareto, truncated_normal, empirical. Every value takes a fixed number of
/// draws: value i has the draws i * n … i * n + n − 1, n = 1, but 2 for the two mixtures and
/// `shape` for erlang.
const std::vector<Alternative>& time_distributions();
/// REQUIRES: a choice that the table admits.
std::unique_ptr<const TimeDistribution> make_time_distribution(const Choice& choice);

/// uniform {low, high}, geometric {ratio, high}, weights {weights}, values {sizes, weights},
/// constant {size}.
const std::vector<Alternative>& size_distributions();
/// REQUIRES: a choice that the table admits.
std::unique_ptr<const SizeDistribution> make_size_distribution(const Choice& choice);

}  // namespace schedfarm::engine
