#include "app/cli/commands/run_totals.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "app/report/number_text.hpp"
#include "app/run/rules/precision_rule.hpp"

namespace schedfarm::app {

namespace {

constexpr double seconds_per_hour = 3600;
constexpr double shortest_rated_s = 5;

bool waits_for_prediction(const CellProgress& cell) {
    const CellDecision& decision = cell.decision();
    return decision.is_open() && !cell.has_hole() && decision.most_demanding.empty()
           && decision.next_check < effective_limits(cell.cell()).max;
}

std::uint64_t left_in(const CellProgress& cell) {
    const std::uint64_t left = cell.predicted() - std::min(cell.predicted(), cell.computed_now());
    return cell.has_hole() ? std::min(left, cell.ready() + cell.in_flight()) : left;
}

/// Mean seconds of a replication, every cell with results counting once.
double mean_of_cells(const std::vector<const CellProgress*>& cells) {
    double sum = 0;
    std::size_t seen = 0;
    for (const CellProgress* cell : cells) {
        sum += cell->mean_seconds();
        seen += cell->computed_now() > 0 ? 1U : 0U;
    }
    return seen == 0 ? 0 : sum / static_cast<double>(seen);
}

}  // namespace

RunTotals totals_of(const CampaignProgress& progress) {
    std::vector<const CellProgress*> cells;
    for (const auto& cell : progress.cells()) {
        if (progress.is_ours(cell->cell())) {
            cells.push_back(cell.get());
        }
    }
    const double usual_seconds = mean_of_cells(cells);
    RunTotals totals;
    totals.cells = cells.size();
    for (const CellProgress* cell : cells) {
        const std::uint64_t left = left_in(*cell);
        const double seconds = cell->computed_now() > 0 ? cell->mean_seconds() : usual_seconds;
        totals.computed += cell->computed() - cell->failed();
        totals.failed += cell->failed();
        totals.predicted += cell->computed() + left;
        totals.is_lower_bound = totals.is_lower_bound || waits_for_prediction(*cell);
        totals.decided += cell->decision().is_open() ? 0U : 1U;
        totals.core_hours_spent +=
            static_cast<double>(cell->computed()) * seconds / seconds_per_hour;
        totals.core_hours_left += static_cast<double>(left) * seconds / seconds_per_hour;
    }
    return totals;
}

std::optional<double> seconds_left(const RunTotals& totals, double core_hours, double elapsed_s) {
    if (totals.is_lower_bound || elapsed_s < shortest_rated_s || core_hours <= 0
        || totals.core_hours_left <= 0) {
        return std::nullopt;
    }
    return elapsed_s * totals.core_hours_left / core_hours;
}

double patience_s(double longest_s) {
    return std::max(10.0, 3 * longest_s);
}

std::string quiet_text(double quiet_s, ReplicationId first, std::uint64_t under_way) {
    return fmt::format(
        "no result for {}; {}: cell {}, replication {}",
        duration_text(quiet_s),
        under_way > 1 ? fmt::format("{} not back yet, the oldest", under_way) : "not back yet",
        first.cell,
        first.replication
    );
}

std::string duration_text(double seconds) {
    const long whole = std::lround(seconds);
    if (whole < 60) {
        return fmt::format("{} s", whole);
    }
    if (whole < 3600) {
        return fmt::format("{} min {:02} s", whole / 60, whole % 60);
    }
    return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

std::string done_text(const CellProgress& progress) {
    return fmt::format(
        "{}/{}{}",
        progress.computed() - progress.failed(),
        waits_for_prediction(progress) ? "≥" : "",
        progress.computed() + left_in(progress)
    );
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
    const engine::Interval& interval = estimate.estimate->interval;
    return std::string(estimate.metric) + " "
           + interval_text(estimate.estimate->mean, interval.lower, interval.upper);
}

}  // namespace schedfarm::app
