// Comparing what was measured: with a printed value, and two policies under common random numbers.
// Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "engine/statistics/estimate.hpp"

namespace schedfarm::engine {

/// A value as a paper prints it.
struct PrintedValue {
    double value = 0;
    double standard_error = 0;       ///< of the paper's own experiment; 0: exact or not known
    double rounding_half_width = 0;  ///< 0.0005 for a value printed with three decimals
};

/// (measured − printed) / sqrt(standard_error² + printed.standard_error² + (2 half width)² / 12):
/// the last term is the variance of a rounding error that is uniform over the printed digit. Where
/// all three are 0: 0 for equal values, else infinite with the sign of the difference.
/// REQUIRES: no standard error or half width is negative.
double z_score(double measured, double standard_error, const PrintedValue& printed);

enum class Verdict : std::uint8_t { agrees, differs };

inline constexpr double verdict_limit = 3;

/// agrees: |z| <= limit. A NaN differs.
Verdict verdict(double z, double limit = verdict_limit);

/// Mean of a[i] − b[i] with the skew-adjusted interval, for two cells whose replications share
/// their random numbers. The pairing keeps the covariance, so that the interval is right whatever
/// the correlation. Absent below two pairs. REQUIRES: equally many of both.
std::optional<Estimate> paired_difference(
    std::span<const double> a, std::span<const double> b, double confidence
);

}  // namespace schedfarm::engine
