#include "campaigns/run/cell_summary.hpp"

namespace schedfarm::campaigns {

namespace {

CellStatus status_of(const CellProgress& progress, std::uint64_t used) {
    if (progress.has_hole()) {
        return CellStatus::incomplete;
    }
    if (progress.grows_without_bound(used)) {
        return CellStatus::unstable;
    }
    switch (progress.decision().state) {
        case engine::StopState::go_on:
            return CellStatus::provisional;
        case engine::StopState::cap_reached:
            return CellStatus::not_met_cap;
        case engine::StopState::met:
            break;
    }
    return progress.cell().replications.targets.empty() ? CellStatus::fixed : CellStatus::met;
}

MetricEstimate estimate_metric(
    const CellProgress& progress, const std::string& metric, std::uint64_t used
) {
    const ReplicationPlan& plan = progress.cell().replications;
    const MetricSample sample = progress.metric_sample(metric, used);
    if (!sample.denominators.empty()) {
        return {
            metric,
            engine::estimate_ratio(sample.values, sample.denominators, plan.confidence),
            true};
    }
    return {metric, engine::estimate_mean(sample.values, plan.confidence, plan.method), false};
}

}  // namespace

std::string_view status_word(CellStatus status) {
    switch (status) {
        case CellStatus::fixed:
            return "fixed";
        case CellStatus::met:
            return "met";
        case CellStatus::not_met_cap:
            return "not_met_cap";
        case CellStatus::unstable:
            return "unstable";
        case CellStatus::incomplete:
            return "incomplete";
        case CellStatus::provisional:
            return "provisional";
    }
    return "provisional";
}

CellSummary summarize(const CellProgress& progress) {
    CellSummary summary;
    summary.used = progress.used();
    summary.computed = progress.computed();
    summary.status = status_of(progress, summary.used);
    const auto& targets = progress.cell().replications.targets;
    if (!targets.empty()) {
        summary.most_demanding = targets[progress.decision().most_demanding].metric;
    }
    for (const engine::ObservationColumn& column : progress.cell().columns) {
        summary.estimates.push_back(estimate_metric(progress, column.name, summary.used));
    }
    return summary;
}

}  // namespace schedfarm::campaigns
