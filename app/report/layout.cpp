#include <algorithm>

#include <fmt/format.h>

#include "app/report/layout_parts.hpp"
#include "app/report/number_text.hpp"
#include "app/report/result_view.hpp"

namespace schedfarm::app {

namespace {

std::string exact_number(double value) {
    return std::isnan(value) ? "" : fmt::format("{}", value);
}

/// No more than two decimals beyond what the paper prints.
int decimals_of(const ReportRow& row) {
    const int decimals = decimals_for(row.measured, row.lower, row.upper);
    return std::isnan(row.paper) ? decimals : std::min(decimals, row.paper_decimals + 2);
}

/// "differs" says by how much where no z does: like z, ours less the paper's, here in its percent.
std::string certificate_verdict_text(const ReportRow& row) {
    if (row.verdict != "differs" || !std::isnan(row.z) || std::isnan(row.measured)) {
        return row.verdict;
    }
    return fmt::format("differs {:+.1f} %", 100 * (row.measured / row.paper - 1));
}

TextTable against_paper(const Report& report) {
    TextTable table = start_table(report);
    table.columns.insert(
        table.columns.end(),
        {{"column", Alignment::left},
         {"paper", Alignment::right},
         {"measured", Alignment::left},
         {"exact", Alignment::left},
         {"z", Alignment::right},
         {"verdict", Alignment::left}}
    );
    for (const ReportRow& row : report.rows) {
        std::vector<std::string> cells = level_texts(row);
        cells.insert(
            cells.end(),
            {row.column,
             number_text(row.paper, row.paper_decimals),
             measured_text(row),
             known_text(row),
             number_text(row.z, 1),
             certificate_verdict_text(row)}
        );
        table.rows.push_back(std::move(cells));
    }
    blank_repeated_labels(table, report.factors.size());
    drop_empty_columns(table);
    if (report.has_references) {
        table.notes.emplace_back(
            "z and percentages: measured less paper, so + is more than printed."
        );
    }
    return table;
}

TextTable full_precision(const Report& report) {
    TextTable table;
    table.title = report.title;
    table.source = report.source;
    for (const std::string& factor : report.factors) {
        table.columns.push_back({factor, Alignment::left});
    }
    for (const char* heading :
         {"column",
          "paper",
          "measured",
          "lower",
          "upper",
          "confidence",
          "known",
          "known_label",
          "known_z",
          "z",
          "verdict",
          "status",
          "replications",
          "note",
          "class_name"}) {
        table.columns.push_back({heading, Alignment::left});
    }
    for (const ReportRow& row : report.rows) {
        std::vector<std::string> cells = row.levels;
        cells.insert(
            cells.end(),
            {row.column,
             exact_number(row.paper),
             exact_number(row.measured),
             exact_number(row.lower),
             exact_number(row.upper),
             exact_number(row.confidence),
             exact_number(row.known),
             row.known_label,
             exact_number(row.known_z),
             exact_number(row.z),
             row.verdict,
             row.status,
             std::to_string(row.replications),
             row.note,
             row.class_name}
        );
        table.rows.push_back(std::move(cells));
    }
    return table;
}

}  // namespace

std::string measured_text(const ReportRow& row) {
    if (std::isnan(row.measured)) {
        return "";
    }
    return interval_text(row.measured, row.lower, row.upper, row.intervals, decimals_of(row));
}

std::string known_text(const ReportRow& row) {
    return estimate_text(row.known, std::max(decimals_of(row), 4));
}

std::vector<std::string> level_texts(const ReportRow& row) {
    std::vector<std::string> texts = row.levels;
    std::replace(texts.begin(), texts.end(), std::string(), std::string("pilot"));
    return texts;
}

TextTable start_table(const Report& report) {
    TextTable table;
    table.title = report.title;
    table.source = report.source;
    table.notes = report.summary;
    table.warnings = report.warnings;
    for (const std::string& factor : report.factors) {
        table.columns.push_back({short_factor_name(factor), Alignment::left});
    }
    table.label_columns = report.factors.size();
    return table;
}

void blank_repeated_labels(TextTable& table, std::size_t label_columns) {
    for (std::size_t r = table.rows.size(); r-- > 1;) {
        for (std::size_t c = 0; c < label_columns && table.rows[r][c] == table.rows[r - 1][c];
             ++c) {
            table.rows[r][c].clear();
        }
    }
}

void drop_empty_columns(TextTable& table) {
    for (std::size_t c = table.columns.size(); c-- > 0;) {
        const bool is_empty = std::all_of(
            table.rows.begin(), table.rows.end(), [&](const auto& row) { return row[c].empty(); }
        );
        if (is_empty) {
            drop_column(table, c);
        }
    }
}

TextTable layout(const Report& report, ReportFormat format) {
    if (format == ReportFormat::csv) {
        return full_precision(report);
    }
    return report.has_references || report.rows.empty() ? against_paper(report)
                                                        : estimates_layout(report);
}

}  // namespace schedfarm::app
