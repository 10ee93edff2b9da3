// The root of an increasing line that is seen through noise at points of one's own choice: where
// the mean of `change` is zero, if mean change / mean scale = a + b · at. A drift is such a ratio:
// the change of a backlog over the time for which it was watched. The sums decide, not the ratios
// of single observations: the means of a change and of a time at which watching stops by what is
// seen keep their ratio (Wald's identity), the mean of the ratios does not.
//
// a and b solve Σ r = Σ at · r = 0 with the residuals r = change − (a + b · at) · scale; their
// covariance is that of these sums as the residuals show it, so that the noise may differ from
// point to point. The interval of the root −a/b is Fieller's: the points x at which a + b x does
// not differ from zero, (a + b x)² ≤ t² Var(a + b x). It is exact for normal noise however flat the
// line is, and has no end where even the sign of b is not known.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "engine/statistics/estimate.hpp"

namespace schedfarm::engine {

struct LinePoint {
    double at = 0;
    double change = 0;
    double scale = 1;  ///< not below 0
};

struct LineRoot {
    std::uint64_t n = 0;
    double root = 0;
    double slope = 0;           ///< above 0
    double standard_error = 0;  ///< of the root, to first order
    Interval interval;
};

/// Absent where the points do not make an increasing line at this confidence: fewer than three, all
/// at one place, or a slope that may be zero. Cost O(points). REQUIRES: 0 < confidence < 1.
std::optional<LineRoot> line_root(std::span<const LinePoint> points, double confidence);

}  // namespace schedfarm::engine
