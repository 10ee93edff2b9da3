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
using QuantileRows = std::map<std::uint64_t, std::map<double, std::size_t>>;

/// What is known of the replications' own quantiles of one metric and probability.
struct OwnBias {
    std::size_t cells = 0;  ///< in which their mean lies outside the interval of the pooled one
    double worst = 0;       ///< relative, of those
};

/// "" where the mean of the replications' own quantiles lies within every interval.
std::string own_bias_note(const Table& table, const QuantileRows& rows) {
    if (table.find("own_mean") == nullptr) {
        return "";
    }
    std::map<double, OwnBias> biased;
    for (const auto& [cell, by_probability] : rows) {
        for (const auto& [probability, row] : by_probability) {
            const double own = column_of<Reals>(table, "own_mean")[row];
            if (own < column_of<Reals>(table, "lower")[row]
                || own > column_of<Reals>(table, "upper")[row]) {
                OwnBias& bias = biased[probability];
                const double relative = own / column_of<Reals>(table, "value")[row] - 1;
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
    const Table& table = table_of(results, "quantiles");
    const CellLabels labels(results);
    std::set<double> probabilities;
    for (const auto& [cell, by_probability] : rows) {
        for (const auto& [probability, row] : by_probability) {
            probabilities.insert(probability);
        }
    }
    TextTable section;
    section.title = "Quantiles of " + metric_text(metric);
    section.columns = {{"cell", Alignment::left}};
    section.label_columns = 1;
    for (const double probability : probabilities) {
        section.columns.push_back({fmt::format("p{:.6g}", 100 * probability), Alignment::left});
    }
    for (const auto& [cell, by_probability] : rows) {
        std::vector<std::string> line{labels.label(cell)};
        for (const double probability : probabilities) {
            const auto found = by_probability.find(probability);
            line.push_back(
                found == by_probability.end() ? ""
                                              : interval_text(
                                                  column_of<Reals>(table, "value")[found->second],
                                                  column_of<Reals>(table, "lower")[found->second],
                                                  column_of<Reals>(table, "upper")[found->second],
                                                  interval_style(results)
                                              )
            );
        }
        section.rows.push_back(std::move(line));
    }
    const Reals& confidences = column_of<Reals>(table, "confidence");
    section.notes = {
        interval_note({confidences.begin(), confidences.end()}, interval_style(results))
        + " Quantiles are those of all measured jobs of a cell, to 0.25 % of the value."};
    if (const std::string note = own_bias_note(table, rows); !note.empty()) {
        section.notes.push_back(note);
    }
    return section;
}

std::string warm_up_text(const Table& table, std::size_t row) {
    const std::string replications =
        engine::counted(column_of<Counts>(table, "replications")[row], "replication");
    const std::uint64_t cut = column_of<Counts>(table, "mser_cut")[row];
    if (column_of<Texts>(table, "verdict")[row] == "short") {
        return fmt::format(
            "MSER-5 of the average of {} cuts {}, the warm-up {}: lengthen the warm-up",
            replications,
            engine::counted(cut, "job"),
            column_of<Counts>(table, "warm_up_jobs")[row]
        );
    }
    return fmt::format(
        "the average of {} does not settle in the first half of the run: lengthen the run",
        replications
    );
}

/// A cell's metric and how precise it is: "3.21 ±0.02 (0.62 %)".
std::string precision_text(
    const Table& table,
    std::span<const std::size_t> rows_of_cell,
    const std::string& metric,
    IntervalStyle style
) {
    for (const std::size_t row : rows_of_cell) {
        if (column_of<Texts>(table, "metric")[row] != metric) {
            continue;
        }
        const double mean = column_of<Reals>(table, "mean")[row];
        const double lower = column_of<Reals>(table, "lower")[row];
        const double upper = column_of<Reals>(table, "upper")[row];
        const std::string estimate = interval_text(mean, lower, upper, style);
        const double share = longer_side(mean, lower, upper) / std::abs(mean);
        return std::isfinite(share) ? fmt::format("{} ({:.2g} %)", estimate, 100 * share)
                                    : estimate;
    }
    return "";
}

}  // namespace

std::vector<TextTable> quantile_sections(const ResultFile& results) {
    const Table* table = results.find("quantiles");
    if (table == nullptr) {
        return {};
    }
    std::map<std::string, QuantileRows> by_metric;
    for (std::size_t row = 0; row < table->rows(); ++row) {
        const std::uint64_t cell = column_of<Counts>(*table, "cell")[row];
        const double probability = column_of<Reals>(*table, "probability")[row];
        by_metric[column_of<Texts>(*table, "metric")[row]][cell][probability] = row;
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
    TextTable section;
    section.title = "Warm-ups to look at";
    section.columns = {{"cell", Alignment::left}, {"finding", Alignment::left, Overflow::wrap}};
    // No warm-up would do for an unstable cell, and another section says so.
    const std::set<std::uint64_t> unstable = unstable_cells(results);
    for (std::size_t row = 0; row < table->rows(); ++row) {
        const std::uint64_t cell = column_of<Counts>(*table, "cell")[row];
        const bool is_warning = column_of<Texts>(*table, "verdict")[row] != "long enough";
        if (is_warning && !unstable.contains(cell)) {
            section.rows.push_back({labels.label(cell), warm_up_text(*table, row)});
        }
    }
    if (section.rows.empty()) {
        return {};
    }
    section.notes = {"A hint, not a verdict: table warm_up of the file has Welch's plot."};
    return {section};
}

std::vector<TextTable> unmet_sections(const ResultFile& results) {
    static const std::map<std::string, std::string> causes{
        {"not_met_cap", "cap"},
        {"not_met_budget", "budget"},
        {"not_met_log", "log"},
        {"not_met_missing", "no value"},
        {"not_bracketed", "no load found"}};
    std::set<std::string> statuses;
    const Table& cells = table_of(results, "cells");
    const CellLabels labels(results);
    TextTable section;
    const Table& estimates = table_of(results, "estimates");
    const RowsByCell rows(estimates);
    section.title = "Cells less precise than asked for";
    section.columns = {
        {"cell", Alignment::left},
        {"n", Alignment::right},
        {"ended by", Alignment::left},
        {"most demanding metric", Alignment::left},
        {"estimate", Alignment::left}};
    section.label_columns = 1;
    for (std::size_t cell = 0; cell < cells.rows(); ++cell) {
        const std::string& status = column_of<Texts>(cells, "status")[cell];
        if (!causes.contains(status)) {
            continue;
        }
        statuses.insert(status);
        const std::string& metric = column_of<Texts>(cells, "most_demanding")[cell];
        section.rows.push_back(
            {labels.label(cell),
             std::to_string(column_of<Counts>(cells, "replications_used")[cell]),
             causes.at(status),
             metric_text(metric),
             precision_text(estimates, rows.of(cell), metric, interval_style(results))}
        );
    }
    if (section.rows.empty()) {
        return {};
    }
    if (statuses.contains("not_met_cap") || statuses.contains("not_met_budget")) {
        section.notes = {"Raise the cap or the budget and resume: what is computed is kept."};
    }
    if (statuses.contains("not_met_log")) {
        section.notes.emplace_back(
            "Log: the log is too short for this precision. Other logs like it would differ by "
            "about "
            "as much as is shown, and more replications of this one cannot tell by how much. Ask "
            "for less precision, give a longer log, or say 'replications: N' for what holds of "
            "this log alone."
        );
    }
    if (statuses.contains("not_bracketed")) {
        section.notes.emplace_back(
            "No load found: it lies outside `between` of the search; widen that. The table of "
            "loads searched for says on which side."
        );
    }
    if (statuses.contains("not_met_missing")) {
        section.notes.emplace_back(
            "No value: some replications have none of the metric, for want of such jobs, and then "
            "there is no mean over replications. Make the replications longer, or ask for another "
            "metric."
        );
    }
    return {section};
}

}  // namespace schedfarm::app
