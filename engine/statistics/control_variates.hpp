// Control variates with known means (Lavenberg & Welch 1981): a linear regression of the metric on
// the controls takes away the noise that they explain. Pure functions.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/statistics/estimate.hpp"

namespace schedfarm::engine {

/// One control: its value in each replication and its exact mean.
struct Control {
    std::span<const double> values;
    double mean = 0;
};

struct ControlledEstimate {
    Estimate estimate;            ///< method student_t, n − q − 1 degrees of freedom
    std::vector<double> weights;  ///< regression coefficients, one per control
    double r_squared = 0;         ///< share of the variance that the controls explain
    double loss_factor = 1;  ///< (n − 2) / (n − q − 2): the price of estimating the weights
    /// Variance of the plain mean over that of this one, loss included: 1 / ((1 − R²) · loss).
    /// Below 1 the controls do not pay.
    double variance_reduction = 1;
};

/// mean = ȳ − b'(x̄ − μ) with the coefficients b of the least-squares regression; its variance is
/// s² (1/n + (x̄ − μ)' S⁻¹ (x̄ − μ) / (n − 1)) with the residual variance s² of n − q − 1 degrees of
/// freedom and the controls' covariance matrix S (Lavenberg & Welch 1981, Nelson 1990). Exact for
/// normal data. The skewness is that of the residuals. Without controls the plain mean.
/// Absent below q + 3 replications and where the controls are linearly dependent or constant.
/// Costs O(n q²).
/// REQUIRES: equally many of all; 0 < confidence < 1.
std::optional<ControlledEstimate> estimate_with_controls(
    std::span<const double> observations, std::span<const Control> controls, double confidence
);

}  // namespace schedfarm::engine
