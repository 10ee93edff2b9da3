#include "campaigns/cli/progress_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "engine/foundation/message_text.hpp"

#include "campaigns/report/number_text.hpp"

namespace schedfarm::campaigns {

namespace {

enum class Wording : std::uint8_t { whole, without_cost, brief };

/// How much is said; the first that fits is taken.
struct Shape {
    int bar;
    Wording wording;
};

constexpr std::array<Shape, 5> shapes{
    {{24, Wording::whole},
     {24, Wording::without_cost},
     {12, Wording::without_cost},
     {12, Wording::brief},
     {0, Wording::brief}}};

bool begins_character(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
}

std::size_t columns(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_character));
}

std::string cut(const std::string& text, std::size_t width) {
    std::size_t seen = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        seen += begins_character(text[i]) ? 1U : 0U;
        if (seen > width) {
            return text.substr(0, i);
        }
    }
    return text;
}

double share_of(const RunTotals& totals) {
    return totals.predicted == 0
               ? 1.0
               : static_cast<double>(totals.computed) / static_cast<double>(totals.predicted);
}

/// Neither share nor rest is told while the number to compute is a lower bound: the one would be
/// too much, the other too little.
std::string words(const RunTotals& totals, std::optional<double> seconds_left, Wording wording) {
    const bool is_brief = wording == Wording::brief;
    std::string text = fmt::format(
        "{}{}{}{}{}{}",
        totals.is_lower_bound ? ""
                              : fmt::format("{:>4} %  ", static_cast<int>(100 * share_of(totals))),
        totals.computed,
        is_brief ? "/" : " of ",
        totals.predicted,
        totals.is_lower_bound ? " or more" : "",
        is_brief ? "" : " replications"
    );
    if (totals.failed > 0) {
        text += fmt::format(", {} failed", totals.failed);
    }
    if (totals.decided > 0) {
        text += fmt::format(
            ", {}{}{} decided",
            totals.decided,
            is_brief ? "/" : " of ",
            engine::counted(totals.cells, "cell")
        );
    }
    if (seconds_left) {
        text += fmt::format(", {} left", duration_text(*seconds_left));
    }
    if (wording == Wording::whole && totals.core_hours_left >= 0.1 && !totals.is_lower_bound) {
        text += fmt::format(" ({:.1f} core-hours)", totals.core_hours_left);
    }
    return text;
}

std::string bar(const RunTotals& totals, int width) {
    const int filled = totals.is_lower_bound ? 0 : static_cast<int>(share_of(totals) * width);
    return width == 0 ? ""
                      : fmt::format(
                          "[{:#>{}}{:.>{}}]{}",
                          "",
                          filled,
                          "",
                          width - filled,
                          totals.is_lower_bound ? "  " : ""
                      );
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

std::string bar_text(
    const RunTotals& totals, std::optional<double> seconds_left, std::size_t width
) {
    std::string text;
    for (const Shape& shape : shapes) {
        text = bar(totals, shape.bar) + words(totals, seconds_left, shape.wording);
        if (columns(text) <= width) {
            return text;
        }
    }
    return cut(text, width);
}

std::string plain_text(const RunTotals& totals, std::optional<double> seconds_left) {
    return words(totals, seconds_left, Wording::whole);
}

std::string cell_text(const CellProgress& cell, std::size_t width) {
    const std::string metric = judged_metric(cell);
    if (metric.empty() || cell.cell().load_search) {
        return "";
    }
    const std::string judged = estimate_text(estimate_at_a_look(cell, metric));
    if (judged.empty()) {
        return "";
    }
    const std::string rest = ": " + judged + target_text(cell, metric);
    const std::string name = fmt::format("cell {}", cell.cell().index);
    const std::string label = label_text(cell.cell());
    const std::string named = label.empty() ? name : name + " (" + label + ")";
    return columns(named + rest) <= width ? named + rest : cut(name + rest, width);
}

}  // namespace schedfarm::campaigns
