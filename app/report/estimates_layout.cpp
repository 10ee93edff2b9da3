#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "app/report/class_names.hpp"
#include "app/report/layout_parts.hpp"
#include "app/report/number_text.hpp"

namespace schedfarm::app {

namespace {

using RowsByMetric = std::map<std::string, const ReportRow*>;

/// The rows of a report as a table of cells by metrics.
struct Grid {
    std::vector<std::string> metrics;  ///< in the order of the report
    std::map<std::uint64_t, RowsByMetric> cells;
};

Grid grid_of(const Report& report) {
    Grid grid;
    for (const ReportRow& row : report.rows) {
        grid.cells[row.cell][row.column] = &row;
        if (report.has_class_section && is_of_part(row.column)) {
            continue;
        }
        if (std::find(grid.metrics.begin(), grid.metrics.end(), row.column) == grid.metrics.end()) {
            grid.metrics.push_back(row.column);
        }
    }
    return grid;
}

/// Whether the known value is one of the cell itself, exact or approximate, and not of another
/// system that it is held beside, as that of M/M/1 at the same arrival rate.
bool is_theory(const ReportRow& row) {
    return !std::isnan(row.known)
           && (row.known_label.starts_with("exact") || row.known_label.starts_with("approximation")
           );
}

/// How theory is shown beside a metric.
struct Theory {
    bool is_known = false;         ///< for at least one cell
    bool has_labels = false;       ///< cells differ in what theory it is
    std::string common_label;      ///< else
    std::set<std::string> beside;  ///< other systems that have a value
};

Theory theory_of(const Grid& grid, const std::string& metric) {
    Theory theory;
    for (const auto& [cell, rows] : grid.cells) {
        const auto found = rows.find(metric);
        if (found == rows.end() || std::isnan(found->second->known)) {
            continue;
        }
        const std::string& label = found->second->known_label;
        if (!is_theory(*found->second)) {
            theory.beside.insert(label);
            continue;
        }
        theory.has_labels = theory.has_labels || (theory.is_known && label != theory.common_label);
        theory.common_label = label;
        theory.is_known = true;
    }
    return theory;
}

/// The columns of one metric: its estimates, and what theory says.
void add_metric(TextTable& table, const Grid& grid, const std::string& metric) {
    if (metric.empty()) {
        return;  // of cells without estimates
    }
    const Theory theory = theory_of(grid, metric);
    table.columns.push_back({metric_text(metric), Alignment::left});
    if (theory.is_known) {
        table.columns.push_back({"theory", Alignment::left});
    }
    if (theory.has_labels) {
        table.columns.push_back({"", Alignment::left});
    } else if (theory.is_known) {
        const std::string of = grid.metrics.size() > 1 ? " (" + metric_text(metric) + ")" : "";
        table.notes.insert(table.notes.begin(), "theory" + of + ": " + theory.common_label);
    }
    for (const std::string& label : theory.beside) {
        table.columns.push_back({label, Alignment::left});
    }
    std::size_t at = 0;
    for (const auto& [cell, rows] : grid.cells) {
        const auto found = rows.find(metric);
        const ReportRow absent_row;
        const ReportRow& row = found == rows.end() ? absent_row : *found->second;
        std::vector<std::string>& cells = table.rows[at++];
        cells.push_back(measured_text(row));
        if (theory.is_known) {
            cells.push_back(is_theory(row) ? known_text(row) : "");
        }
        if (theory.has_labels) {
            cells.push_back(is_theory(row) ? row.known_label : "");
        }
        for (const std::string& label : theory.beside) {
            cells.push_back(row.known_label == label ? known_text(row) : "");
        }
    }
}

}  // namespace

TextTable estimates_layout(const Report& report) {
    TextTable table = start_table(report);
    const Grid grid = grid_of(report);
    for (const auto& [cell, rows] : grid.cells) {
        table.rows.push_back(level_texts(*rows.begin()->second));
    }
    for (const std::string& metric : grid.metrics) {
        add_metric(table, grid, metric);
    }
    table.columns.push_back({"n", Alignment::right, Overflow::widen, Constant::told_once});
    table.columns.push_back({"status", Alignment::left, Overflow::widen, Constant::told_once});
    std::size_t at = 0;
    for (const auto& [cell, rows] : grid.cells) {
        const ReportRow& row = *rows.begin()->second;
        table.rows[at].push_back(std::to_string(row.replications));
        table.rows[at++].push_back(row.status);
    }
    blank_repeated_labels(table, report.factors.empty() ? 0 : report.factors.size() - 1);
    drop_empty_columns(table);
    return table;
}

}  // namespace schedfarm::app
