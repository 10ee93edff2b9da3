// Point estimates with confidence intervals from independent replications. Pure functions of the
// observations in replication order; nothing here knows about ranks or time, and every platform
// gives the same bits. A NaN among the observations makes the estimate NaN.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace schedfarm::engine {

struct Interval {
    double lower = 0;
    double upper = 0;

    double half_width() const { return (upper - lower) / 2; }
    bool contains(double value) const { return lower <= value && value <= upper; }
    friend bool operator==(const Interval&, const Interval&) = default;
};

enum class IntervalMethod : std::uint8_t {
    student_t,
    skew_adjusted,
    confidence_sequence,  ///< valid at all sample sizes at once: looking is free
};

/// A confidence sequence is at its shortest, against Student's interval, around this number of
/// observations: 1.55 times as long at 95 %. A relative precision of .05 needs some thousand, and
/// the sequence is so wide at the first look, at 64, that even of lognormal observations, σ = 1,
/// all intervals hold together as often as stated (hyperexponential, c.v. 2.2: .90, from 500 on
/// .97). Part of the results version.
inline constexpr double tuned_size = 2048;

/// Of a ratio to which some replications bring nothing, such as the mean over the jobs of a class:
/// so many must bring something, or there is no interval.
inline constexpr std::uint64_t fewest_carriers = 3;

struct Estimate {
    std::uint64_t n = 0;
    double mean = 0;
    double standard_error = 0;  ///< of the mean
    double skewness = 0;        ///< G1 of the observations (ratio: linearized); 0 below three
    double confidence = 0.95;
    Interval interval;
    IntervalMethod method = IntervalMethod::student_t;
    /// Of a ratio to which some observations bring nothing: how many bring something.
    std::optional<std::uint64_t> carriers = {};

    /// interval_factor() of as many observations as count.
    double factor() const;
    /// Too few observations bring something for an interval.
    bool has_too_few() const { return carriers && *carriers < fewest_carriers; }
    /// Distance from the mean to the farther end of the interval.
    double longer_side() const {
        const double below = mean - interval.lower;
        const double above = interval.upper - mean;
        return below > above ? below : above;
    }
};

/// Mean and interval of independent observations; absent below two observations (the variance is
/// then absent, never 0). REQUIRES: 0 < confidence < 1.
/// student_t: mean ± t s / sqrt n with t of n − 1 degrees of freedom.
/// skew_adjusted (Hall 1992; Willink 2005): with b = skewness / (6 sqrt n) and
/// G(r) = ((1 + 6b(r − b))^(1/3) − 1) / (2b), the interval is mean − G(t) s / sqrt n …
/// mean − G(−t) s / sqrt n. It tends to Student's as b tends to 0 and is longer on the side of the
/// long tail. The skewness is Accumulator::skewness(), the estimator that Willink uses.
/// confidence_sequence (Waudby-Smith, Arbour, Sinha, Kennedy & Ramdas, Annals of Statistics 2024,
/// arXiv 2103.06476): mean ± s / sqrt n · sqrt(2 (v + 1) / v · log(sqrt(v + 1) / α)) with
/// v = n / tuned_size · (−2 log α + log(1 − 2 log α)) and α = 1 − confidence. Asymptotically all
/// intervals of a sequence hold together with this confidence.
std::optional<Estimate> estimate_mean(
    std::span<const double> observations, double confidence, IntervalMethod method
);

/// Half the length of the interval of n observations in standard errors; skew_adjusted: without the
/// skewness. REQUIRES: n >= 2; 0 < confidence < 1.
double interval_factor(IntervalMethod method, double confidence, std::uint64_t n);

/// Ratio of means r = sum(numerators) / sum(denominators); the standard error is
/// s / (sqrt n · mean denominator) with s² = Σ (numerator − r denominator)² / (n − 1). It is
/// estimate_mean of linearized_ratio, interval and skewness included. Absent below two observations
/// and where the denominators sum to 0. REQUIRES: equally many of both; 0 < confidence < 1.
std::optional<Estimate> estimate_ratio(
    std::span<const double> numerators,
    std::span<const double> denominators,
    double confidence,
    IntervalMethod method = IntervalMethod::student_t
);

/// The same of a mean over the jobs of a class, of which an observation may have none: where some
/// denominators are 0 the others alone count (Estimate::carriers). With m of them the standard
/// error is sqrt(m / (m − 1) · (n − 1) / n) times as large, and the interval Student's with m − 1
/// degrees of freedom, which interval_within() puts on a log scale; below fewest_carriers it has no
/// ends (NaN).
std::optional<Estimate> estimate_sparse_ratio(
    std::span<const double> numerators,
    std::span<const double> denominators,
    double confidence,
    IntervalMethod method = IntervalMethod::student_t
);

/// The estimate from linearized ratios, `carriers` of which bring something, as
/// estimate_sparse_ratio() counts them; where all do, the estimate itself.
Estimate of_carriers(Estimate estimate, std::uint64_t carriers);

/// One value per replication, r + (numerator − r denominator) / mean denominator: their mean is the
/// ratio r of estimate_ratio, and their standard error is its. NaN where the denominators sum to 0.
/// REQUIRES: equally many of both.
std::vector<double> linearized_ratio(
    std::span<const double> numerators, std::span<const double> denominators
);

/// What one value holds at most of the sum of squared deviations from the mean; absent where all
/// are equal or one is not finite.
std::optional<double> largest_share(std::span<const double> values);

}  // namespace schedfarm::engine
