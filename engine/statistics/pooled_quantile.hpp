// The quantile of what all replications together hold, and its interval. Jobs of one replication
// depend on each other, replications do not: so the interval is Woodruff's (JASA 47, 1952) with
// replications as clusters. A pure function of the sketches in replication order.
//
// The mean of the replications' own quantiles is something else: with few jobs beyond them in a
// replication it is biased, however many replications there are.
#pragma once

#include <optional>
#include <span>

#include "engine/statistics/estimate.hpp"
#include "engine/statistics/log_sketch.hpp"

namespace schedfarm::engine {

/// The p-quantile of the values of all replications: Estimate::mean is sketch_quantile() of the
/// sketches together, q. With F_r the share of replication r at or below the bucket of q, n_r its
/// number of values, F = Σ n_r F_r / Σ n_r and s the standard error of that ratio, h = t s; the
/// interval goes from the lower bound of the bucket of the (p − h)-quantile, 0 where p <= h, to the
/// upper bound of that of the (p + h)-quantile, infinity where p + h >= 1: then there are too few
/// values beyond the quantile to bound it.
///
/// t is Student's with the degrees of freedom of s² (Satterthwaite 1946), ⌊2 / ((κ − 3) / n + 2 /
/// (n − 1))⌋ for the kurtosis κ of the residuals n_r (F_r − F), between 1 and n − 1: far out in the
/// tail most replications have no value beyond q and few have many, which makes s as uncertain as
/// from few replications. Where all F_r are equal h is −log(1 − confidence) / n: so rare may be a
/// replication that differs (the rule of three). confidence_sequence: h is that of estimate_ratio.
///
/// standard_error is half the interval over t; skewness that of the residuals with their sign
/// changed, for a share that is low makes a quantile high; method student_t or confidence_sequence.
/// Absent below two replications and without values. Costs a pass over all buckets. REQUIRES: 0 < p
/// < 1; 0 < confidence < 1; buckets by index.
std::optional<Estimate> estimate_quantile(
    std::span<const SketchBuckets* const> replications,
    double p,
    double confidence,
    IntervalMethod method = IntervalMethod::student_t
);

}  // namespace schedfarm::engine
