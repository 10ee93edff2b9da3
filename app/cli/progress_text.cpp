#include "app/cli/progress_text.hpp"

#include <cmath>

#include <fmt/format.h>

#include "engine/foundation/message_text.hpp"

#include "app/report/number_text.hpp"

namespace schedfarm::app {

namespace {

double share_done_of(const RunTotals& totals) {
    return totals.predicted == 0
               ? 1.0
               : static_cast<double>(totals.computed) / static_cast<double>(totals.predicted);
}

std::string percent_of(double share) {
    return number_text(100 * share, decimals_for(100 * share)) + " %";
}

/// " (stop rule: ±4.1 %, wanted 5.0 %)" where the metric has a relative target.
std::string target_text(const CellProgress& cell, const std::string& metric) {
    for (const MetricTarget& candidate : cell.cell().replications.targets) {
        if (candidate.metric == metric && candidate.target.relative) {
            const auto judged = estimate_metric(cell, metric, candidate.target.method).estimate;
            const double reached = judged->longer_side() / std::abs(judged->mean);
            return fmt::format(
                " (stop rule: ±{}, wanted {})",
                percent_of(reached),
                percent_of(*candidate.target.relative)
            );
        }
    }
    return "";
}

}  // namespace

std::string bar_text(const RunTotals& totals) {
    constexpr int width = 10;
    const int filled = totals.is_lower_bound ? 0 : static_cast<int>(share_done_of(totals) * width);
    return fmt::format(
        "[{:#>{}}{:.>{}}]{}", "", filled, "", width - filled, totals.is_lower_bound ? "  " : ""
    );
}

/// Neither share nor cost is said while the number to compute is a lower bound: the one would be
/// too much, the other too little.
std::string plain_text(const RunTotals& totals, std::optional<double> seconds_left) {
    std::string text = fmt::format(
        "{}{} of {}{} replications",
        totals.is_lower_bound
            ? ""
            : fmt::format("{:>4} %  ", static_cast<int>(100 * share_done_of(totals))),
        totals.computed,
        totals.predicted,
        totals.is_lower_bound ? " or more" : ""
    );
    if (totals.failed > 0) {
        text += fmt::format(", {} failed", totals.failed);
    }
    if (totals.decided > 0) {
        text += fmt::format(
            ", {} of {} decided", totals.decided, engine::counted(totals.cells, "cell")
        );
    }
    if (seconds_left) {
        text += fmt::format(", {} left", duration_text(*seconds_left));
    }
    if (totals.core_hours_left >= 0.1 && !totals.is_lower_bound) {
        text += fmt::format(" ({:.1f} core-hours)", totals.core_hours_left);
    }
    return text;
}

std::string cell_text(const CellProgress& cell) {
    const std::string metric = judged_metric(cell);
    if (metric.empty() || cell.cell().load_search) {
        return "";
    }
    const std::string judged = estimate_text(estimate_at_a_look(cell, metric));
    const std::string label = label_text(cell.cell());
    return judged.empty() ? ""
                          : fmt::format(
                              "cell {}{}: {}{}",
                              cell.cell().index,
                              label.empty() ? "" : " (" + label + ")",
                              judged,
                              target_text(cell, metric)
                          );
}

}  // namespace schedfarm::app
