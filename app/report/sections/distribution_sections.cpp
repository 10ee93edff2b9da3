#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>

#include "engine/foundation/message_text.hpp"

#include "app/report/number_text.hpp"
#include "app/report/result_view.hpp"
#include "app/report/sections/sections.hpp"

namespace schedfarm::app {

namespace {

using results_schema::ResultFile;
using results_schema::Table;

/// Row of the quantiles table by cell and probability, for one metric.
using QuantileRows = std::map<std::uint64_t, std::map<double, Row>>;

/// What is known of the replications' own quantiles of one metric and probability.
struct OwnBias {
    std::size_t cells = 0;  ///< in which their mean lies outside the interval of the pooled one
    double worst = 0;       ///< relative, of those
};

/// "" where the mean of the replications' own quantiles lies within every interval.
std::string own_bias_note(const QuantileRows& rows) {
    std::map<double, OwnBias> biased;
    for (const auto& [cell, by_probability] : rows) {
        for (const auto& [probability, row] : by_probability) {
            const double own = row.real("own_mean");
            if (own < row.real("lower") || own > row.real("upper")) {
                OwnBias& bias = biased[probability];
                const double relative = own / row.real("value") - 1;
                ++bias.cells;
                bias.worst = std::abs(relative) > std::abs(bias.worst) ? relative : bias.worst;
            }
        }
    }
    std::vector<std::string> texts;
    for (const auto& [probability, bias] : biased) {
        const std::string change =
            std::isfinite(bias.worst) ? fmt::format("by {:+.0f} % ", 100 * bias.worst) : "";
        texts.push_back(fmt::format(
            "p{:.6g} {}in {}", 100 * probability, change, engine::counted(bias.cells, "cell")
        ));
    }
    return texts.empty()
               ? ""
               : fmt::format(
                   "The replications' own quantiles, by which comparisons, selections and claims "
                   "go, are biased here, at worst {}: too few jobs of a replication lie beyond. "
                   "Lengthen the replications.",
                   fmt::join(texts, ", ")
               );
}

TextTable quantile_section(
    const ResultFile& results, const std::string& metric, const QuantileRows& rows
) {
    const CellLabels labels(results);
    const IntervalStyle style = interval_style(results);
    std::set<double> probabilities;
    std::set<double> confidences;
    for (const auto& [cell, by_probability] : rows) {
        for (const auto& [probability, row] : by_probability) {
            probabilities.insert(probability);
            confidences.insert(row.real("confidence"));
        }
    }
    TextTable section = text_table("Quantiles of " + metric_text(metric), {"<cell"}, 1);
    for (const double probability : probabilities) {
        section.columns.push_back({fmt::format("p{:.6g}", 100 * probability), Alignment::left});
    }
    for (const auto& [cell, by_probability] : rows) {
        std::vector<std::string> line{labels.label(cell)};
        for (const double probability : probabilities) {
            const auto found = by_probability.find(probability);
            line.push_back(
                found == by_probability.end() ? "" : interval_text(found->second, "value", style)
            );
        }
        section.rows.push_back(std::move(line));
    }
    section.notes = {
        interval_note(confidences, style)
        + " Quantiles are those of all measured jobs of a cell, to 0.25 % of the value."};
    add_warning(section, own_bias_note(rows));
    return section;
}

std::string warm_up_text(const Row& row) {
    const std::string replications = engine::counted(row.count("replications"), "replication");
    if (row.text("verdict") == "short") {
        return fmt::format(
            "MSER-5 of the average of {} cuts {}, the warm-up {}: lengthen the warm-up",
            replications,
            engine::counted(row.count("mser_cut"), "job"),
            row.count("warm_up_jobs")
        );
    }
    return fmt::format(
        "the average of {} does not settle in the first half of the run: lengthen the run",
        replications
    );
}

/// An estimate and how precise it is: "3.21 ±0.02 (0.62 %)".
std::string precision_text(const Row& row, IntervalStyle style) {
    const double mean = row.real("mean");
    const double share = longer_side(mean, row.real("lower"), row.real("upper")) / std::abs(mean);
    const std::string estimate = interval_text(row, "mean", style);
    return std::isfinite(share) ? fmt::format("{} ({:.2g} %)", estimate, 100 * share) : estimate;
}

}  // namespace

std::vector<TextTable> quantile_sections(const ResultFile& results) {
    const Table* table = results.find("quantiles");
    if (table == nullptr) {
        return {};
    }
    std::map<std::string, QuantileRows> by_metric;
    for (const Row& row : rows_of(*table)) {
        by_metric[row.text("metric")][row.count("cell")].emplace(row.real("probability"), row);
    }
    std::vector<TextTable> sections;
    sections.reserve(by_metric.size());
    for (const auto& [metric, rows] : by_metric) {
        sections.push_back(quantile_section(results, metric, rows));
    }
    return sections;
}

std::vector<TextTable> warm_up_sections(const ResultFile& results) {
    const Table* table = results.find("warm_up_checks");
    if (table == nullptr) {
        return {};
    }
    const CellLabels labels(results);
    TextTable section = text_table("Warm-ups to look at", {"<cell", "~finding"});
    // No warm-up would do for an unstable cell, and another section says so.
    const std::set<std::uint64_t> unstable = unstable_cells(results);
    for (const Row& row : rows_of(*table)) {
        const std::uint64_t cell = row.count("cell");
        if (row.text("verdict") != "long enough" && !unstable.contains(cell)) {
            section.rows.push_back({labels.label(cell), warm_up_text(row)});
        }
    }
    section.rows_are_warnings = true;
    section.notes = {"A hint, not a verdict: table warm_up of the file has Welch's plot."};
    return with_rows(std::move(section));
}

std::vector<TextTable> unmet_sections(const ResultFile& results) {
    static const std::map<std::string, std::string> causes{
        {"not_met_cap", "cap"},
        {"not_met_budget", "budget"},
        {"not_met_log", "log"},
        {"not_met_missing", "no value"},
        {"not_bracketed", "no load found"}};
    std::set<std::string> statuses;
    const CellLabels labels(results);
    const RowsByCell estimates(table_of(results, "estimates"));
    TextTable section = text_table(
        "Cells less precise than asked for",
        {"<cell", ">n", "<ended by", "<most demanding metric", "<estimate"},
        1
    );
    for (const Row& cell : rows_of(table_of(results, "cells"))) {
        const auto cause = causes.find(cell.text("status"));
        if (cause == causes.end()) {
            continue;
        }
        statuses.insert(cause->first);
        const std::string& metric = cell.text("most_demanding");
        const auto estimate = estimates.find(cell.index(), metric);
        section.rows.push_back(
            {labels.label(cell.index()),
             cell.shown("replications_used"),
             cause->second,
             metric_text(metric),
             estimate ? precision_text(*estimate, interval_style(results)) : ""}
        );
    }
    section.rows_are_warnings = true;
    if (statuses.contains("not_met_cap") || statuses.contains("not_met_budget")) {
        add_warning(section, "Raise the cap or the budget and resume: what is computed is kept.");
    }
    if (statuses.contains("not_met_log")) {
        add_warning(
            section,
            "Log: the log is too short for this precision. Other logs like it would differ by "
            "about as much as is shown, and more replications of this one cannot tell by how much. "
            "Ask for less precision, give a longer log, or say 'replications: N' for what holds of "
            "this log alone."
        );
    }
    if (statuses.contains("not_bracketed")) {
        add_warning(
            section,
            "No load found: it lies outside `between` of the search; widen that. The table of "
            "loads searched for says on which side."
        );
    }
    if (statuses.contains("not_met_missing")) {
        add_warning(
            section,
            "No value: some replications have none of the metric, for want of such jobs, and then "
            "there is no mean over replications. Make the replications longer, or ask for another "
            "metric."
        );
    }
    return with_rows(std::move(section));
}

}  // namespace schedfarm::app
