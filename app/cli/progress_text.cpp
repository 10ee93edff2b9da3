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

/// " (stop rule: ±4.1 %, wanted 5.0 %)"; without a relative target "(stop rule: ±4.1, wanted 5.0)",
/// in the unit of the estimate.
std::string target_text(const Judged& judged) {
    if (!judged.of_rule) {
        return "";
    }
    const bool is_relative = judged.target->relative.has_value();
    const double unit = is_relative ? std::abs(judged.of_rule->mean) : 1;
    const double reached = judged.of_rule->longer_side() / unit;
    const auto text = [&](double side) {
        const double shown = side / judged.unit.own;
        return is_relative ? percent_of(side) : number_text(shown, decimals_for(shown));
    };
    return std::isfinite(reached) ? fmt::format(
               " (stop rule: ±{}, wanted {})",
               text(reached),
               text(is_relative ? *judged.target->relative : *judged.target->absolute)
           )
                                  : "";
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

Json progress_json(const RunTotals& totals, std::optional<double> seconds_left) {
    const auto known = [](bool is_known, double value) {
        return is_known ? json_number(value) : Json(nullptr);
    };
    return {
        {"progress_format", progress_format},
        {"replications",
         {{"computed", totals.computed},
          {"failed", totals.failed},
          {"expected", totals.predicted},
          {"is_lower_bound", totals.is_lower_bound}}},
        {"cells", {{"all", totals.cells}, {"decided", totals.decided}}},
        {"seconds_left", known(seconds_left.has_value(), seconds_left.value_or(0))},
        {"core_hours_left", known(!totals.is_lower_bound, totals.core_hours_left)}};
}

std::string cell_text(const CampaignProgress& progress, const CellProgress& cell) {
    const auto known = judged(progress, cell);
    const std::string label = label_text(cell.cell());
    return known ? fmt::format(
               "cell {}{}: {}{}",
               cell.cell().index,
               label.empty() ? "" : " (" + label + ")",
               judged_text(known),
               target_text(*known)
           )
                 : "";
}

}  // namespace schedfarm::app
