#include "campaigns/cli/standing.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "campaigns/run/precision_rule.hpp"

namespace schedfarm::campaigns {

namespace {

bool waits_for_prediction(const CellProgress& cell) {
    const CellDecision& decision = cell.decision();
    return decision.is_open() && decision.most_demanding.empty()
           && decision.next_check < effective_limits(cell.cell()).max;
}

}  // namespace

RunTotals totals_of(const CampaignProgress& progress) {
    RunTotals totals;
    totals.cells = progress.cells().size();
    for (const auto& cell : progress.cells()) {
        const std::uint64_t predicted = std::max(cell->predicted(), cell->computed());
        totals.computed += cell->computed();
        totals.predicted += predicted;
        totals.is_lower_bound = totals.is_lower_bound || waits_for_prediction(*cell);
        totals.decided += cell->decision().is_open() ? 0U : 1U;
        totals.core_hours_left +=
            static_cast<double>(predicted - cell->computed()) * cell->mean_seconds() / 3600;
    }
    return totals;
}

std::string label_text(const Cell& cell) {
    std::string text = cell.is_pilot ? "pilot" : "";
    for (const FactorLevel& level : cell.levels) {
        text += (text.empty() ? "" : ", ") + level.label;
    }
    return text;
}

std::string judged_metric(const CellProgress& progress) {
    const auto& targets = progress.cell().replications.targets;
    if (!progress.decision().most_demanding.empty()) {
        return progress.decision().most_demanding;
    }
    if (!targets.empty()) {
        return targets.front().metric;
    }
    for (const engine::ObservationColumn& column : progress.cell().columns) {
        if (!column.is_diagnostic) {
            return column.name;
        }
    }
    return "";
}

std::string estimate_text(const MetricEstimate& estimate) {
    if (!estimate.estimate || !std::isfinite(estimate.estimate->mean)) {
        return "";
    }
    return fmt::format(
        "{} {:.4g} ±{:.2g}",
        estimate.metric,
        estimate.estimate->mean,
        estimate.estimate->longer_side()
    );
}

}  // namespace schedfarm::campaigns
