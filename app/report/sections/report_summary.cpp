#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "app/report/class_names.hpp"
#include "app/report/layout_parts.hpp"
#include "app/report/number_text.hpp"
#include "app/report/run_columns.hpp"
#include "app/report/schedule/named_logs.hpp"

namespace schedfarm::app {

namespace {

/// One line per column of the paper, so that what differs is not hidden in a total.
std::vector<std::string> agreement_lines(const Report& report) {
    std::vector<std::string> columns;
    for (const ReportRow& row : report.rows) {
        if (std::find(columns.begin(), columns.end(), row.column) == columns.end()) {
            columns.push_back(row.column);
        }
    }
    std::vector<std::string> lines;
    for (const std::string& column : columns) {
        std::size_t compared = 0;
        std::size_t agreeing = 0;
        double largest = 0;
        for (const ReportRow& row : report.rows) {
            if (row.column == column) {
                ++compared;
                agreeing += row.verdict == "agrees" ? 1U : 0U;
                largest = std::isnan(row.z) ? largest : std::max(largest, std::abs(row.z));
            }
        }
        std::string line = column.empty() ? "" : column + ": ";
        line += fmt::format("{} of {} agree", agreeing, compared);
        line += largest > 0 ? fmt::format(" (largest |z| {:.1f})", largest) : "";
        lines.push_back(line + ".");
    }
    return lines;
}

/// What wall times are not; empty without them.
std::string wall_times_line(const Report& report) {
    const bool has_some = std::any_of(report.rows.begin(), report.rows.end(), [](const auto& row) {
        return parse_run_column(row.column).kind == RunColumn::Kind::wall_time;
    });
    return has_some ? "wall time: median over the replications, on the machine and beside the load "
                      "of that run; no results."
                    : "";
}

/// The fewest replications of the rows of which something holds; 0: of none.
template <typename Predicate>
std::uint64_t fewest_of(const Report& report, Predicate holds) {
    std::uint64_t fewest = 0;
    for (const ReportRow& row : report.rows) {
        if (row.replications > 0 && holds(row)) {
            fewest = fewest == 0 ? row.replications : std::min(fewest, row.replications);
        }
    }
    return fewest;
}

/// What extremes say of runs that were not made; empty without them.
std::string extremes_line(const Report& report) {
    const std::uint64_t fewest = fewest_of(report, [](const ReportRow& row) {
        const RunColumn::Kind kind = parse_run_column(row.column).kind;
        return kind == RunColumn::Kind::least || kind == RunColumn::Kind::greatest;
    });
    return fewest == 0
               ? ""
               : fmt::format(
                   "least, greatest: of {} runs or more. With 95 % confidence, for each of them by "
                   "itself, at most {:.2g} % of all runs lie beyond, whatever their distribution.",
                   fewest,
                   100 * share_beyond(fewest, 0.95)
               );
}

/// What a cell with one replication lacks; empty where all have more.
std::string one_replication_line(const Report& report) {
    const bool has_one = std::any_of(report.rows.begin(), report.rows.end(), [](const auto& row) {
        const RunColumn::Kind kind = parse_run_column(row.column).kind;
        return row.replications == 1 && !std::isnan(row.measured) && std::isnan(row.lower)
               && (kind == RunColumn::Kind::mean || kind == RunColumn::Kind::ratio);
    });
    return has_one ? "One replication: no interval." : "";
}

/// What replications that are all equal say of others; empty where an estimate has some variance.
std::string zero_variance_line(const Report& report) {
    const std::uint64_t fewest = fewest_of(report, [](const ReportRow& row) {
        return row.replications > 1 && (row.lower == row.measured || row.upper == row.measured);
    });
    return fewest == 0
               ? ""
               : fmt::format(
                   "±0, or an end at the estimate: all replications gave that value, {0} of them "
                   "or more. With 95 % "
                   "confidence, up to {1:.2g} % of others may give another (rule of three: 3 / "
                   "{0}); a relative precision is not met.",
                   fewest,
                   100 * share_beyond(fewest, 0.95)
               );
}

/// What few replications mean for the intervals shown; empty where there are enough of all.
std::string few_replications_line(const Report& report) {
    std::uint64_t fewest = enough_for_skewness;
    for (const ReportRow& row : report.rows) {
        if (!std::isnan(row.lower) && row.lower < row.upper) {
            fewest = std::min(fewest, row.replications);
        }
    }
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    return fewest == enough_for_skewness ? "" : few_note("replications", fewest, unknown);
}

/// What ± is; empty where no interval is shown.
std::string intervals_line(const Report& report) {
    std::set<double> confidences;
    bool has_one_log = false;
    bool has_bounds = false;
    IntervalStyle style = IntervalStyle::plus_minus;
    for (const ReportRow& row : report.rows) {
        const bool is_shown =
            report.has_references || !report.has_class_section || !is_of_part(row.column);
        const double side = longer_side(row.measured, row.lower, row.upper);
        if (is_shown && !std::isnan(side) && !std::isnan(row.confidence)) {
            confidences.insert(row.confidence);
            has_one_log = has_one_log || row.is_of_one_log;
            has_bounds = has_bounds || is_clearly_asymmetric(row.measured, row.lower, row.upper);
            style = row.intervals;
        }
    }
    if (confidences.empty()) {
        return "";
    }
    const char* const ends = has_bounds && style == IntervalStyle::plus_minus
                                 ? " [ ]: its ends, where one side is more than twice the other."
                                 : "";
    return interval_note(confidences, style) + ends + (has_one_log ? of_one_log : "");
}

}  // namespace

std::vector<std::string> summary_warnings(const Report& report) {
    std::vector<std::string> warnings{
        one_replication_line(report), few_replications_line(report), zero_variance_line(report)};
    std::erase(warnings, "");
    return warnings;
}

std::vector<std::string> report_summary(const Report& report) {
    std::vector<std::string> summary;
    if (report.has_references) {
        summary = agreement_lines(report);
    }
    for (std::string line :
         {intervals_line(report),
          one_replication_line(report),
          few_replications_line(report),
          zero_variance_line(report),
          extremes_line(report),
          wall_times_line(report)}) {
        if (!line.empty()) {
            summary.push_back(std::move(line));
        }
    }
    std::size_t exact = 0;
    std::size_t inside = 0;
    double largest = 0;
    for (const ReportRow& row : report.rows) {
        if (!std::isnan(row.known_z)) {
            ++exact;
            inside += std::abs(row.known_z) <= 3 ? 1U : 0U;
            largest = std::max(largest, std::abs(row.known_z));
        }
    }
    if (exact > 0) {
        summary.push_back(fmt::format(
            "Exact values: {} of {} lie within 3 standard errors of ours (largest |z| {:.1f}).",
            inside,
            exact,
            largest
        ));
    }
    for (const ReportRow& row : report.rows) {
        if (!row.note.empty()) {
            summary.push_back(fmt::format(
                "{}{}{}: {}.",
                fmt::join(row.levels, ", "),
                row.column.empty() ? "" : ", ",
                row.column,
                row.note
            ));
        }
    }
    if (report.has_references) {
        summary.emplace_back(
            "z: distance from the paper in standard errors, its own noise and rounding included; a "
            "percentage where that noise is not known. Cells of a table share random numbers: "
            "their verdicts are not independent."
        );
    }
    return summary;
}

}  // namespace schedfarm::app
