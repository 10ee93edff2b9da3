#include "app/run/tables/cell_summary.hpp"

#include <cmath>

#include "engine/simulation/measurement/column_range.hpp"

#include "app/run/rules/cell_stability.hpp"
#include "app/run/rules/gate.hpp"

namespace schedfarm::app {

namespace {

/// Of what the cell has met.
GateAnswer gate_of_targets(const CellProgress& progress) {
    const Gate gate(progress, progress.used());
    GateAnswer worst = GateAnswer::passed;
    for (const MetricTarget& target : progress.cell().replications.targets) {
        worst = worse_of(worst, gate.ask(target.metric));
    }
    if (progress.cell().replications.targets.empty() && progress.decision().difference) {
        worst = gate.ask(progress.decision().most_demanding);
    }
    return worst;
}

std::string_view met_word(const CellProgress& progress, const CellStability& stability) {
    if (stability.is_biased()) {
        return "met_not_stationary";
    }
    return gate_of_targets(progress) == GateAnswer::tail ? "met_heavy_tail" : "met";
}

std::string_view status_of(const CellProgress& progress, const CellStability& stability) {
    if (progress.has_hole() && progress.decision().is_open()) {
        return "incomplete";
    }
    if (stability.verdict == engine::StabilityVerdict::unstable) {
        return "unstable";
    }
    switch (progress.decision().end) {
        case CellEnd::undecided:
        case CellEnd::clock:
            break;
        case CellEnd::met:
            return met_word(progress, stability);
        case CellEnd::fixed:
            return "fixed";
        case CellEnd::cap:
            return "not_met_cap";
        case CellEnd::budget:
            return "not_met_budget";
        case CellEnd::log:
            return "not_met_log";
        case CellEnd::variance:
            return "not_met_variance";
        case CellEnd::missing:
            return "not_met_missing";
        case CellEnd::unstable:
            return "unstable";
        case CellEnd::selected:
            return "selected";
        case CellEnd::eliminated:
            return "eliminated";
        case CellEnd::not_bracketed:
            return "not_bracketed";
        case CellEnd::not_stationary:
            return "not_stationary";
    }
    return "provisional";
}

/// The column's own name, which lasts as long as the cell.
std::string_view name_kept(const CellProgress& progress, const std::string& metric) {
    const auto column = column_index(progress.cell(), metric);
    return column ? progress.cell().measures->columns[*column].name : std::string_view();
}

/// The interval over the draws gives way to that for logs like the resampled one, within the range.
MetricEstimate shown(MetricEstimate metric, const Cell& cell, const engine::ValueRange& range) {
    if (!metric.estimate) {
        return metric;
    }
    engine::Estimate& estimate = *metric.estimate;
    const engine::Estimate of_draws = estimate;
    estimate.interval = engine::interval_within(of_draws, range);
    if (cell.log_blocks && std::isfinite(of_draws.standard_error)) {
        const engine::Estimate of_logs = engine::of_logs_like_it(of_draws, *cell.log_blocks);
        metric.given_log = estimate.interval;
        estimate.standard_error = of_logs.standard_error;
        estimate.interval = engine::interval_within(of_logs, range);
    }
    return metric;
}

/// What a single replication says, of a quantile to the last digit; absent where there are more.
std::optional<double> value_of_one(const MetricSample& sample) {
    if (sample.values.size() != 1) {
        return std::nullopt;
    }
    return sample.denominators.empty() ? sample.values[0]
                                       : sample.values[0] / sample.denominators[0];
}

MetricEstimate estimate_behind(
    const Gate& gate,
    const CellProgress& progress,
    const std::string& metric,
    engine::IntervalMethod method
) {
    const double confidence = progress.cell().replications.confidence;
    const MetricSample sample = progress.metric_sample(metric, progress.used());
    MetricEstimate result;
    result.metric = name_kept(progress, metric);
    result.only_value = value_of_one(sample);
    result.largest_share = engine::largest_share(sample.by_replication());
    result.kind = !sample.sketches.empty()       ? EstimateKind::quantile
                  : !sample.denominators.empty() ? EstimateKind::ratio
                                                 : EstimateKind::mean;
    result.estimate = sample.estimate(confidence, method);
    result.gate = gate.ask(metric, sample, result.estimate);
    return shown(std::move(result), progress.cell(), engine::range_of_column(metric));
}

}  // namespace

MetricEstimate estimate_metric(const CellProgress& progress, const std::string& metric) {
    return estimate_metric(progress, metric, progress.cell().replications.method);
}

MetricEstimate estimate_metric(
    const CellProgress& progress, const std::string& metric, engine::IntervalMethod method
) {
    return estimate_behind(Gate(progress, progress.used()), progress, metric, method);
}

MetricEstimate estimate_at_a_look(const CellProgress& progress, const std::string& metric) {
    return progress.decision().is_open()
               ? estimate_metric(progress, metric, engine::IntervalMethod::confidence_sequence)
               : estimate_metric(progress, metric);
}

std::vector<MetricEstimate> estimates_of(const CellProgress& progress) {
    std::vector<MetricEstimate> estimates;
    if (!progress.cell().load_search) {
        const Gate gate(progress, progress.used());
        for (const engine::ObservationColumn& column : progress.cell().measures->columns) {
            estimates.push_back(
                estimate_behind(gate, progress, column.name, progress.cell().replications.method)
            );
        }
    }
    return estimates;
}

CellSummary summarize(const CellProgress& progress) {
    CellSummary summary;
    summary.used = progress.used();
    summary.computed = progress.computed();
    summary.status = status_of(progress, stability_of(progress, summary.used));
    summary.most_demanding = progress.decision().most_demanding
                             + (progress.decision().difference ? " (difference)" : "");
    summary.utilization = progress.utilization();
    return summary;
}

}  // namespace schedfarm::app
