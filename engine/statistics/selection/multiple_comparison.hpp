// Several comparisons at once, and what common random numbers gain. Pure functions.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "engine/statistics/estimate.hpp"

namespace schedfarm::engine {

/// Two-sided p-value of mean 0 for a paired difference: 1 − the confidence at which 0 is an end of
/// its interval, by Student's t with n − 1 degrees of freedom, skew-adjusted where the interval is.
/// Never 0: what is below 2e-308, as where the standard error is 0 and the mean is not, is 2e-308;
/// 1 where both are 0; NaN of a difference without an interval. REQUIRES: the interval is no
/// confidence sequence.
double p_value(const Estimate& difference);

/// The e-value of mean 0 for a paired difference: where the mean is 0 it comes to 1 / α or more at
/// some look, of however many, with probability α at most. With t as in p_value(), n pairs and an
/// effect of N(0, τ²) standard deviations it is E = (1 + nτ²)^(−1/2) · ((1 + t²/(n − 1)) / (1 + t²/
/// ((n − 1)(1 + nτ²))))^(n/2), the scale-invariant likelihood ratio, which is an e-process where
/// differences are normal (Gönen, Johnson, Lu & Westfall, The American Statistician 59, 2005; Wang
/// & Ramdas, arXiv 2310.03722); the mean of it over τ in e_value_effects. Finite; NaN where the
/// p-value is. REQUIRES: as p_value(); replications of a model, not draws from one log.
double e_value(const Estimate& difference);

/// In standard deviations of a pair's difference.
inline constexpr std::array e_value_effects{0.1, 0.25, 0.5};

struct HolmResult {
    double adjusted_p = 1;     ///< reject at α where this is <= α; monotone in the p-values
    double confidence = 0.95;  ///< of this comparison's own interval
};

/// Holm's step-down adjustment (1979) of m p-values at family confidence 1 − α, in their order. The
/// comparison with the i-th smallest p-value (ties by position) gets the interval level 1 − α /
/// (m − i + 1) while Holm rejects; all that are not rejected get the level of the first of them, so
/// that an interval excludes 0 exactly where Holm rejects. NaN p-values count as 1.
/// The decisions are wrong anywhere with probability at most α. The intervals together are no
/// simultaneous confidence set, as the data choose their levels: only Bonferroni's 1 − α / m is.
std::vector<HolmResult> holm(std::span<const double> p_values, double family_confidence);

/// How much shorter the interval of the paired difference is than with independent streams at the
/// same cost: sqrt((var a + var b) / var(a − b)). Mean, standard error and interval are those of
/// the jackknife on its logarithm (Miller 1968), carried back; the skewness is that of the
/// logarithm's pseudo-values. Absent below ten pairs or where the difference has no variance, be it
/// with one pair left out. REQUIRES: equally many of both; 0 < confidence < 1.
std::optional<Estimate> width_reduction(
    std::span<const double> a, std::span<const double> b, double confidence
);

}  // namespace schedfarm::engine
