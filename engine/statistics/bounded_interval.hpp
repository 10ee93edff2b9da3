// Between which values a quantity lies, and intervals that stay there. A time is not below 0, a
// slowdown not below 1, a share not outside of 0 to 1; an interval of few or skewed replications
// may be. Pure.
#pragma once

#include <limits>

#include "engine/statistics/estimate.hpp"

namespace schedfarm::engine {

struct ValueRange {
    double least = -std::numeric_limits<double>::infinity();
    double greatest = std::numeric_limits<double>::infinity();
    friend bool operator==(const ValueRange&, const ValueRange&) = default;
};

inline constexpr ValueRange any_value{};
inline constexpr ValueRange not_negative{.least = 0};
inline constexpr ValueRange one_or_more{.least = 1};
inline constexpr ValueRange a_share{.least = 0, .greatest = 1};

/// The interval of an estimate of a quantity of this range. It is the estimate's own where that
/// lies in the range, but that of a sparse ratio. Else both ends are taken on the scale of g, log(x
/// − least) or, of a share, logit(x): g of the mean ± q · standard error · g' of the mean, where q
/// is interval_factor() of the method (skew_adjusted: Student's t; the scale takes most of the
/// skewness away). The longest side of an interval so made is finite. Where all replications have
/// an end of a bounded range, the other end of the interval lies where the rule of three says: with
/// probability α = 1 − confidence or less n of n replications have that value where more than 1 −
/// α^(1/n) of all have another. Of an unbounded quantity nothing can be said of the mean then, and
/// the interval stays as it is. Ranges with one end at infinity alone are those with `least`.
/// Measured coverage: docs/background/stopping.md and the rows of bounded_*.yaml in
/// campaigns/certificate.
Interval interval_within(const Estimate& estimate, const ValueRange& range);

/// The estimate with that interval.
Estimate within(Estimate estimate, const ValueRange& range);

}  // namespace schedfarm::engine
