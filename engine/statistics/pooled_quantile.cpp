#include "engine/statistics/pooled_quantile.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/foundation/elementary.hpp"
#include "engine/foundation/expect.hpp"
#include "engine/foundation/special_values.hpp"
#include "engine/statistics/student_t.hpp"

namespace schedfarm::engine {

namespace {

SketchBuckets pooled(std::span<const SketchBuckets* const> replications) {
    LogSketch sketch;
    for (const SketchBuckets* replication : replications) {
        sketch.merge(*replication);
    }
    return sketch.buckets();
}

/// By replication: values at or below a bucket, and values.
struct Counts {
    std::vector<double> at_or_below;
    std::vector<double> all;
};

Counts counts_at(std::span<const SketchBuckets* const> replications, std::int32_t index) {
    Counts counts;
    for (const SketchBuckets* replication : replications) {
        double below = 0;
        double all = 0;
        for (const SketchBucket& bucket : *replication) {
            const auto count = static_cast<double>(bucket.count);
            below += bucket.index <= index ? count : 0;
            all += count;
        }
        counts.at_or_below.push_back(below);
        counts.all.push_back(all);
    }
    return counts;
}

/// Of the variance of the residuals, by their kurtosis. REQUIRES: they differ.
std::uint64_t effective_degrees(const Counts& counts, double share) {
    const auto n = static_cast<double>(counts.all.size());
    double squares = 0;
    double fourth_powers = 0;
    for (std::size_t r = 0; r < counts.all.size(); ++r) {
        const double residual = counts.at_or_below[r] - share * counts.all[r];
        squares += residual * residual;
        fourth_powers += residual * residual * residual * residual;
    }
    const double kurtosis = n * fourth_powers / (squares * squares);
    const double relative_variance = (kurtosis - 3) / n + 2 / (n - 1);
    const double degrees = std::floor(2 / relative_variance);
    return static_cast<std::uint64_t>(
        relative_variance > 0 ? std::clamp(degrees, 1.0, n - 1) : n - 1
    );
}

/// Half the interval of a share, and how many standard errors that is.
struct ShareInterval {
    double half = 0;
    double factor = 0;
};

ShareInterval share_interval(const Counts& counts, const Estimate& share) {
    const auto n = static_cast<double>(share.n);
    if (share.standard_error == 0) {
        return {
            -logarithm(1 - share.confidence) / n,
            student_t_two_sided(share.confidence, share.n - 1)};
    }
    if (share.method == IntervalMethod::confidence_sequence) {
        const double half = share.interval.half_width();
        return {half, half / share.standard_error};
    }
    const double t = student_t_two_sided(share.confidence, effective_degrees(counts, share.mean));
    return {t * share.standard_error, t};
}

}  // namespace

std::optional<Estimate> estimate_quantile(
    std::span<const SketchBuckets* const> replications,
    double p,
    double confidence,
    IntervalMethod method
) {
    SCHEDFARM_EXPECT(p > 0 && p < 1, "the probability is not between 0 and 1");
    const SketchBuckets all = pooled(replications);
    const auto value = sketch_quantile(all, p);
    if (!value || replications.size() < 2) {
        return std::nullopt;
    }
    const Counts counts = counts_at(replications, sketch_quantile_index(all, p));
    const IntervalMethod of_share =
        method == IntervalMethod::confidence_sequence ? method : IntervalMethod::student_t;
    const Estimate share = *estimate_ratio(counts.at_or_below, counts.all, confidence, of_share);
    const auto [half, factor] = share_interval(counts, share);
    Estimate estimate = share;
    estimate.mean = *value;
    estimate.skewness = -share.skewness;
    estimate.interval = {
        p > half ? sketch_range(sketch_quantile_index(all, p - half)).lower : 0,
        p + half < 1 ? sketch_range(sketch_quantile_index(all, p + half)).upper : infinity};
    estimate.standard_error = estimate.interval.half_width() / factor;
    return estimate;
}

}  // namespace schedfarm::engine
