#include "app/run/tables/reference_comparison.hpp"

#include <algorithm>
#include <cmath>

#include "engine/statistics/selection/comparison.hpp"

#include "results_schema/absent.hpp"

namespace schedfarm::app {

namespace {

using results_schema::absent;

const MetricEstimate* estimate_of(
    const std::vector<MetricEstimate>& estimates, const std::string& metric
) {
    const auto found = std::find_if(estimates.begin(), estimates.end(), [&](const auto& estimate) {
        return estimate.metric == metric;
    });
    return found == estimates.end() || !found->estimate ? nullptr : &*found;
}

ReferenceComparison compare_known(const ReferenceValue& reference, const Cell& cell) {
    for (const engine::KnownValue& known : cell.known_values) {
        if (known.metric == reference.metric && known.label == reference.known_label) {
            // A value in the middle between two printable ones may have been rounded either way.
            const bool agrees =
                std::abs(known.value - reference.value) <= reference.rounding * (1 + 1e-9);
            return {known.value, 0, absent, absent, absent, agrees ? "agrees" : "differs"};
        }
    }
    return {absent, absent, absent, absent, absent, "not measured"};
}

/// Standard error of the paper's own simulation; 0 where it is not known.
double paper_error(const ReferenceValue& reference, const std::vector<MetricEstimate>& estimates) {
    const MetricEstimate* per_run = estimate_of(estimates, "capacity_loss.fill_sd");
    if (reference.runs == 0 || per_run == nullptr) {
        return 0;
    }
    return per_run->estimate->mean / std::sqrt(static_cast<double>(reference.runs));
}

}  // namespace

ReferenceComparison compare(
    const ReferenceValue& reference, const Cell& cell, const std::vector<MetricEstimate>& estimates
) {
    if (!reference.known_label.empty()) {
        return compare_known(reference, cell);
    }
    const MetricEstimate* metric = estimate_of(estimates, reference.metric);
    if (metric == nullptr) {
        return {absent, absent, absent, absent, absent, "not measured"};
    }
    const auto& estimate = metric->estimate;
    ReferenceComparison result;
    result.gate = metric->gate;
    result.measured = estimate->mean;
    result.standard_error = estimate->standard_error;
    result.lower = estimate->interval.lower;
    result.upper = estimate->interval.upper;
    const double paper = paper_error(reference, estimates);
    bool agrees = false;
    if (paper > 0) {
        result.z = engine::z_score(
            estimate->mean, estimate->standard_error, {reference.value, paper, reference.rounding}
        );
        agrees = engine::verdict(result.z) == engine::Verdict::agrees;
    } else {
        result.z = absent;  // how much the paper's value scatters is not known
        agrees = std::abs(estimate->mean - reference.value)
                 <= reference.rounding + engine::verdict_limit * estimate->standard_error;
    }
    result.verdict = agrees ? "agrees" : "differs";
    return result;
}

}  // namespace schedfarm::app
