#include "app/cli/commands/run_totals.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "app/campaign/checks/time_unit.hpp"
#include "app/run/rules/comparison_rule.hpp"
#include "app/run/tables/cell_summary.hpp"

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

/// The column that is judged where no difference is.
std::string judged_column(const CellProgress& cell) {
    const auto& targets = cell.cell().replications.targets;
    if (!cell.decision().most_demanding.empty()) {
        return cell.decision().most_demanding;
    }
    if (!targets.empty()) {
        return targets.front().metric;
    }
    for (const engine::ObservationColumn& column : cell.cell().measures->columns) {
        if (!column.is_diagnostic) {
            return column.name;
        }
    }
    return "";
}

std::optional<Judged> with_mean(std::string name, const std::optional<engine::Estimate>& estimate) {
    return estimate && std::isfinite(estimate->mean)
               ? std::optional(Judged{std::move(name), *estimate})
               : std::nullopt;
}

/// What a time is shown in that is a metric of the cell, or a difference of two.
ShownUnit unit_of(
    const CampaignProgress& progress, const Cell& cell, const std::string& metric, double time
) {
    for (const engine::ObservationColumn& column : cell.measures->columns) {
        if (column.name == metric) {
            return shown_unit(in_unit(column.unit, progress.plan().time_unit), time);
        }
    }
    return {};
}

std::optional<Judged> judged_metric(
    const CampaignProgress& progress, const CellProgress& cell, const std::string& metric
) {
    auto result = with_mean(metric, estimate_at_a_look(cell, metric).estimate);
    if (result) {
        result->unit = unit_of(progress, cell.cell(), metric, result->estimate.mean);
    }
    for (const MetricTarget& target : cell.cell().replications.targets) {
        if (result && target.metric == metric) {
            result->target = target.target;
            result->of_rule = estimate_metric(cell, metric, target.target.method).estimate;
        }
    }
    return result;
}

std::optional<Judged> judged_difference(
    const CampaignProgress& progress, const CellProgress& cell, const ComparedCells& cells
) {
    const CellProgress& first = *progress.cells()[cells.first];
    const CellProgress& second = *progress.cells()[cells.second];
    const ExtraTarget difference = target_of_difference(
        *progress.plan().comparison, first, second, std::min(first.used(), second.used())
    );
    const engine::PrecisionTarget& target = difference.target;
    const auto estimate = [&](engine::IntervalMethod method) {
        const auto of_draws = engine::estimate_mean(difference.values, target.confidence, method);
        return of_draws && target.log ? engine::of_logs_like_it(*of_draws, *target.log) : of_draws;
    };
    auto result = with_mean(
        fmt::format("{} (cell {} - cell {})", difference.metric, cells.first, cells.second),
        estimate(
            cell.decision().is_open() ? engine::IntervalMethod::confidence_sequence : target.method
        )
    );
    if (result) {
        result->target = target;
        result->of_rule = estimate(target.method);
        result->unit = unit_of(progress, cell.cell(), difference.metric, result->estimate.mean);
    }
    return result;
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

std::optional<Judged> judged(const CampaignProgress& progress, const CellProgress& cell) {
    if (cell.cell().load_search) {
        return std::nullopt;
    }
    if (const auto& difference = cell.decision().difference) {
        return judged_difference(progress, cell, *difference);
    }
    const std::string metric = judged_column(cell);
    return metric.empty() ? std::nullopt : judged_metric(progress, cell, metric);
}

std::string judged_text(const std::optional<Judged>& judged) {
    if (!judged) {
        return "";
    }
    const auto& [lower, upper] = judged->estimate.interval;
    const double own = judged->unit.own;
    return judged->name + " " + interval_text(judged->estimate.mean / own, lower / own, upper / own)
           + judged->unit.suffix();
}

}  // namespace schedfarm::app
