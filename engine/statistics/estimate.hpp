// Point estimates with confidence intervals from independent replications. Pure functions of the
// observations in replication order; nothing here knows about ranks or time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace schedfarm::engine {

struct Interval {
    double lower = 0;
    double upper = 0;

    double half_width() const { return (upper - lower) / 2; }
    bool contains(double value) const { return lower <= value && value <= upper; }
    friend bool operator==(const Interval&, const Interval&) = default;
};

enum class IntervalMethod : std::uint8_t { student_t, skew_adjusted };

struct Estimate {
    std::uint64_t n = 0;
    double mean = 0;
    double standard_error = 0;  ///< of the mean
    double skewness = 0;        ///< of the observations; 0 below three observations
    double confidence = 0.95;
    Interval interval;
    IntervalMethod method = IntervalMethod::student_t;
};

/// Mean and interval of independent observations; absent below two observations (the variance is
/// then absent, never 0). Skew adjustment after statistics.md section 2: with b = skew / (6 sqrt
/// n), G(r) = ((1 + 6b(r − b))^(1/3) − 1) / (2b), interval mean − G(±t) s / sqrt n; falls back to
/// Student-t where b is 0.
std::optional<Estimate> estimate_mean(
    std::span<const double> observations, double confidence, IntervalMethod method
);

/// Ratio of means sum(numerators) / sum(denominators) with the residual variance and t_{n−1}.
std::optional<Estimate> estimate_ratio(
    std::span<const double> numerators, std::span<const double> denominators, double confidence
);

}  // namespace schedfarm::engine
