#include "app/report/report.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "engine/foundation/message_text.hpp"

#include "app/report/class_names.hpp"
#include "app/report/layout_parts.hpp"
#include "app/report/measured_jobs.hpp"
#include "app/report/number_text.hpp"
#include "app/report/result_view.hpp"
#include "app/report/run_columns.hpp"
#include "app/report/schedule/named_logs.hpp"

namespace schedfarm::app {

namespace {

using results_schema::ResultFile;
using results_schema::Table;

/// Everything a row takes from its cell, found once.
class CellFacts {
  public:
    explicit CellFacts(const ResultFile& results)
        : results_(results)
        , labels_(results)
        , class_names_(results)
        , cells_(table_of(results, "cells"))
        , estimates_(table_of(results, "estimates"))
        , known_(table_of(results, "known_values")) {}

    const CellLabels& labels() const { return labels_; }

    void fill_levels(ReportRow& row, const std::vector<std::string>& factors) const {
        for (const std::string& factor : factors) {
            row.levels.push_back(labels_.level(row.cell, factor));
        }
    }

    void fill_status(ReportRow& row) const {
        const Row cell(cells_, row.cell);
        row.is_of_one_log = cell.count("log_blocks") == 0 && names_log(cell.text("workload"));
        row.status = cell.text("status");
        row.replications = cell.count("replications_used");
    }

    void fill_class(ReportRow& row, const std::string& metric) const {
        row.class_name = class_names_.name_of_column(row.cell, metric);
    }

    const ClassNames& class_names() const { return class_names_; }

    /// The value from theory for a metric of the cell: the exact one if there is one.
    void fill_known(ReportRow& row, const std::string& metric) const {
        for (const Row& known : known_.of(row.cell)) {
            if (known.text("metric") != metric) {
                continue;
            }
            const bool is_exact = known.integer("is_exact") != 0;
            if (std::isnan(row.known) || is_exact) {
                row.known = known.real("value");
                row.known_label = known.text("label");
                row.known_z = is_exact ? z_of_known(row, metric) : absent;
            }
            if (is_exact) {
                return;
            }
        }
    }

    void fill_estimate(ReportRow& row, const std::string& metric) const {
        const RunColumn column = parse_run_column(metric);
        if (column.kind == RunColumn::Kind::wall_time) {
            row.measured = median_wall_time_ms(results_, row.cell, column);
            return;
        }
        if (column.kind != RunColumn::Kind::mean) {
            const engine::Estimate estimate = run_column_estimate(results_, row.cell, column);
            row.measured = estimate.mean;
            row.lower = estimate.interval.lower;
            row.upper = estimate.interval.upper;
            row.confidence = estimate.confidence;
            return;
        }
        if (const auto estimate = estimates_.find(row.cell, metric)) {
            row.measured = estimate->real("mean");
            row.lower = estimate->real("lower");
            row.upper = estimate->real("upper");
            row.confidence = estimate->real("confidence");
        }
    }

    /// Of the estimate that a value of the paper is held against.
    void fill_confidence(ReportRow& row, const std::string& metric) const {
        if (const auto estimate = estimates_.find(row.cell, metric)) {
            row.confidence = estimate->real("confidence");
        }
    }

    /// Metrics of a cell but for those that the program watches for its own sake, for files that do
    /// not name the metrics of their report; of a cell of which nothing is known yet one without a
    /// name: its status has a row.
    std::vector<std::string> metrics_of(std::uint64_t cell) const {
        std::vector<std::string> metrics;
        for (const Row& estimate : estimates_.of(cell)) {
            if (!is_diagnostic(estimate.text("metric"))) {
                metrics.push_back(estimate.text("metric"));
            }
        }
        const std::string& status = Row(cells_, cell).text("status");
        if (metrics.empty() && (status == "incomplete" || status == "provisional")) {
            metrics.emplace_back();
        }
        return metrics;
    }

    std::size_t cell_count() const { return cells_.rows(); }

    std::size_t provisional_cells() const {
        const auto& statuses = column_of<Texts>(cells_, "status");
        return static_cast<std::size_t>(
            std::count(statuses.begin(), statuses.end(), std::string("provisional"))
        );
    }

  private:
    double z_of_known(const ReportRow& row, const std::string& metric) const {
        const auto estimate = estimates_.find(row.cell, metric);
        const double error = estimate ? estimate->real("standard_error") : 0;
        return error > 0 ? (estimate->real("mean") - row.known) / error : absent;
    }

    const ResultFile& results_;
    CellLabels labels_;
    ClassNames class_names_;
    const Table& cells_;
    RowsByCell estimates_;
    RowsByCell known_;
};

int decimals_of_rounding(double rounding) {
    return rounding > 0 ? std::max(0, static_cast<int>(std::lround(-std::log10(2 * rounding)))) : 6;
}

std::vector<ReportRow> reference_rows(
    const ResultFile& results, const CellFacts& facts, const std::vector<std::string>& factors
) {
    std::vector<ReportRow> rows;
    const Table& table = table_of(results, "reference");
    const auto& metrics = column_of<Texts>(table, "metric");
    const bool has_metrics = std::set(metrics.begin(), metrics.end()).size() > 1;
    for (const Row& reference : rows_of(table)) {
        ReportRow row;
        row.cell = reference.count("cell");
        const std::string& heading = reference.text("column");
        const std::string& metric = reference.text("metric");
        row.column = heading.empty() && has_metrics ? metric_text(metric) : heading;
        row.paper = reference.real("value");
        row.paper_decimals = decimals_of_rounding(reference.real("rounding"));
        row.measured = reference.real("measured");
        row.lower = reference.real("lower");
        row.upper = reference.real("upper");
        row.z = reference.real("z");
        row.verdict = reference.text("verdict");
        row.note = reference.text("note");
        facts.fill_confidence(row, metric);
        facts.fill_class(row, metric);
        facts.fill_levels(row, factors);
        facts.fill_status(row);
        if (reference.text("known_label").empty()) {
            facts.fill_known(row, metric);
            if (row.known_label != "exact") {
                row.known = absent;  // an approximation is not what a measurement is held against
            }
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<ReportRow> estimate_rows(
    const CellFacts& facts,
    const std::vector<std::string>& factors,
    const std::vector<std::string>& wanted
) {
    std::vector<ReportRow> rows;
    for (std::uint64_t cell = 0; cell < facts.cell_count(); ++cell) {
        for (const std::string& metric : wanted.empty() ? facts.metrics_of(cell) : wanted) {
            ReportRow row;
            row.cell = cell;
            row.column = metric;
            facts.fill_levels(row, factors);
            facts.fill_status(row);
            facts.fill_class(row, metric);
            facts.fill_estimate(row, metric);
            facts.fill_known(row, metric);
            rows.push_back(std::move(row));
        }
    }
    return rows;
}

/// Whether no two rows are called the same.
bool are_told_apart(const std::vector<ReportRow>& rows) {
    std::set<std::pair<std::vector<std::string>, std::string>> names;
    return std::all_of(rows.begin(), rows.end(), [&names](const ReportRow& row) {
        return names.insert({row.levels, row.column}).second;
    });
}

/// The rows beside the paper's values, called by the factors that the campaign names, and by all
/// factors where it names none or these leave two rows with one name.
void add_reference_rows(const ResultFile& results, const CellFacts& facts, Report& report) {
    report.factors = lines_of(text_attribute(results, "report_rows"));
    report.rows = reference_rows(results, facts, report.factors);
    if (report.factors.empty() || !are_told_apart(report.rows)) {
        report.factors = facts.labels().factors();
        report.rows = reference_rows(results, facts, report.factors);
    }
}

/// Whether a row that is shown is about a class that has a name.
bool names_classes(const Report& report) {
    return std::any_of(report.rows.begin(), report.rows.end(), [](const ReportRow& row) {
        return !row.class_name.empty();
    });
}

}  // namespace

Report make_report(const ResultFile& results) {
    const CellFacts facts(results);
    Report report;
    report.title = text_attribute(results, "report_title");
    if (report.title.empty()) {
        report.title = text_attribute(results, "campaign_name");
    }
    report.source = text_attribute(results, "report_source");
    report.has_references = table_of(results, "reference").rows() > 0;
    if (report.has_references) {
        add_reference_rows(results, facts, report);
    } else {
        report.factors = facts.labels().factors();
        report.rows = estimate_rows(
            facts, report.factors, lines_of(text_attribute(results, "report_metrics"))
        );
    }
    for (ReportRow& row : report.rows) {
        row.intervals = interval_style(results);
    }
    report.has_class_section =
        text_attribute(results, "report_metrics").empty() && results.find("quantities") == nullptr;
    report.summary = report_summary(report);
    report.warnings = summary_warnings(report);
    for (std::string& sentence : measured_sentences(results)) {
        report.summary.push_back(std::move(sentence));
    }
    if (std::string sentence = of_logs_like_it(results); !sentence.empty()) {
        report.summary.push_back(std::move(sentence));
    }
    const bool are_told_below = results.find("quantities") != nullptr || report.has_class_section;
    if (!are_told_below && names_classes(report)) {
        const std::vector<std::string> sentences = facts.class_names().sentences();
        report.summary.insert(report.summary.end(), sentences.begin(), sentences.end());
    }
    if (const std::size_t provisional = facts.provisional_cells(); provisional > 0) {
        report.summary.insert(
            report.summary.begin(),
            fmt::format(
                "Provisional: the number of replications of {} of {} was not decided when this "
                "file was written.",
                provisional,
                engine::counted(facts.cell_count(), "cell")
            )
        );
        report.warnings.insert(report.warnings.begin(), report.summary.front());
    }
    return report;
}

}  // namespace schedfarm::app
