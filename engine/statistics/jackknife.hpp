// Estimates of functions of means (a ratio, a difference of ratios) with confidence intervals from
// independent replications. Pure.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "engine/statistics/estimate.hpp"

namespace schedfarm::engine {

/// The statistic of all n replications, or of all but one of them.
using LeaveOneOut = std::function<double(std::optional<std::uint64_t> left_out)>;

/// The delete-one jackknife (Miller 1974; Efron & Tibshirani 1993, section 11.5). `mean` is the
/// statistic of all replications; with θ_r that of all but r and θ the mean of these, the standard
/// error is sqrt((n − 1) / n Σ (θ_r − θ)²) and the interval Student's with n − 1 degrees of
/// freedom. Of a mean, or of a linear function of means, these are s / sqrt n and the interval of
/// estimate_mean. The skewness is that of the pseudo-values. Absent below two replications. Cost: n
/// + 1 calls. REQUIRES: 0 < confidence < 1.
std::optional<Estimate> jackknife(std::uint64_t n, const LeaveOneOut& statistic, double confidence);

/// The jackknife's pseudo-values n θ̂ − (n − 1) θ_r, θ̂ the statistic of all: one value per
/// replication, to be averaged and compared as the observations of a mean are. Their mean is free
/// of the bias that falls as 1 / n. Of a single replication its statistic. Cost: n + 1 calls.
std::vector<double> pseudo_values(std::uint64_t n, const LeaveOneOut& statistic);

}  // namespace schedfarm::engine
