#include <algorithm>

#include <fmt/format.h>

#include "campaigns/report/report.hpp"

namespace schedfarm::campaigns {

namespace {

/// Decimals that show two significant digits of the half width.
int decimals_for(double half_width) {
    if (!(half_width > 0)) {
        return 5;
    }
    return std::clamp(1 - static_cast<int>(std::floor(std::log10(half_width))), 0, 8);
}

std::string number(double value, int decimals) {
    return std::isnan(value) ? "" : fmt::format("{:.{}f}", value, decimals);
}

std::string exact_number(double value) {
    return std::isnan(value) ? "" : fmt::format("{}", value);
}

/// No more than two decimals beyond what the paper prints.
int decimals_of(const ReportRow& row) {
    const int decimals = decimals_for((row.upper - row.lower) / 2);
    return std::isnan(row.paper) ? decimals : std::min(decimals, row.paper_decimals + 2);
}

std::string measured_text(const ReportRow& row) {
    if (std::isnan(row.measured)) {
        return "";
    }
    const double half_width = (row.upper - row.lower) / 2;
    const int decimals = decimals_of(row);
    if (std::isnan(half_width)) {
        return number(row.measured, decimals);
    }
    return number(row.measured, decimals) + " ±" + number(half_width, decimals);
}

std::string known_text(const ReportRow& row) {
    return number(row.known, std::max(decimals_of(row), 4));
}

/// "differs" says by how much where no z does: the paper's value relative to ours.
std::string verdict_text(const ReportRow& row) {
    if (row.verdict != "differs" || !std::isnan(row.z) || std::isnan(row.measured)) {
        return row.verdict;
    }
    return fmt::format("differs {:+.1f} %", 100 * (row.paper / row.measured - 1));
}

TextTable start(const Report& report) {
    TextTable table;
    table.title = report.title;
    table.source = report.source;
    table.notes = report.summary;
    for (const std::string& factor : report.factors) {
        const std::size_t dot = factor.rfind('.');
        const std::string last = dot == std::string::npos ? factor : factor.substr(dot + 1);
        table.columns.push_back({last, Alignment::left});
    }
    return table;
}

/// Rows repeat the label of a factor only where it changes, as printed tables do.
void blank_repeated_labels(TextTable& table, std::size_t label_columns) {
    for (std::size_t r = table.rows.size(); r-- > 1;) {
        for (std::size_t c = 0; c < label_columns && table.rows[r][c] == table.rows[r - 1][c];
             ++c) {
            table.rows[r][c].clear();
        }
    }
}

/// Columns in which nothing stands say nothing.
void drop_empty_columns(TextTable& table) {
    for (std::size_t c = table.columns.size(); c-- > 0;) {
        const bool is_empty = std::all_of(
            table.rows.begin(), table.rows.end(), [&](const auto& row) { return row[c].empty(); }
        );
        if (is_empty) {
            const auto at = static_cast<std::ptrdiff_t>(c);
            table.columns.erase(table.columns.begin() + at);
            for (auto& row : table.rows) {
                row.erase(row.begin() + at);
            }
        }
    }
}

TextTable against_paper(const Report& report) {
    TextTable table = start(report);
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
        std::vector<std::string> cells = row.levels;
        cells.insert(
            cells.end(),
            {row.column,
             number(row.paper, row.paper_decimals),
             measured_text(row),
             known_text(row),
             number(row.z, 1),
             verdict_text(row)}
        );
        table.rows.push_back(std::move(cells));
    }
    blank_repeated_labels(table, report.factors.size());
    drop_empty_columns(table);
    return table;
}

/// What theory is called where it is the same for all rows; empty where it is not.
std::string common_known_label(const Report& report) {
    std::string label;
    for (const ReportRow& row : report.rows) {
        if (std::isnan(row.known) || row.known_label == label) {
            continue;
        }
        if (!label.empty()) {
            return "";
        }
        label = row.known_label;
    }
    return label;
}

TextTable estimates_only(const Report& report) {
    TextTable table = start(report);
    const auto uses = [&](auto predicate) {
        return std::any_of(report.rows.begin(), report.rows.end(), predicate);
    };
    const bool has_known = uses([](const ReportRow& row) { return !std::isnan(row.known); });
    const bool several =
        uses([&](const ReportRow& row) { return row.column != report.rows.front().column; });
    if (several) {
        table.columns.push_back({"metric", Alignment::left});
    }
    table.columns.push_back({several ? "value" : report.rows.front().column, Alignment::left});
    const std::string label = common_known_label(report);
    if (has_known) {
        table.columns.push_back({"theory", Alignment::left});
        table.columns.push_back({"", Alignment::left});
        if (!label.empty()) {
            table.notes.insert(table.notes.begin(), "theory: " + label);
        }
    }
    table.columns.push_back({"n", Alignment::right});
    table.columns.push_back({"status", Alignment::left});
    for (const ReportRow& row : report.rows) {
        std::vector<std::string> cells = row.levels;
        if (several) {
            cells.push_back(row.column);
        }
        cells.push_back(measured_text(row));
        if (has_known) {
            cells.push_back(known_text(row));
            cells.push_back(std::isnan(row.known) || !label.empty() ? "" : row.known_label);
        }
        cells.push_back(std::to_string(row.replications));
        cells.push_back(row.status);
        table.rows.push_back(std::move(cells));
    }
    blank_repeated_labels(table, report.factors.empty() ? 0 : report.factors.size() - 1);
    drop_empty_columns(table);
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
          "known",
          "known_label",
          "known_z",
          "z",
          "verdict",
          "status",
          "replications",
          "note"}) {
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
             exact_number(row.known),
             row.known_label,
             exact_number(row.known_z),
             exact_number(row.z),
             row.verdict,
             row.status,
             std::to_string(row.replications),
             row.note}
        );
        table.rows.push_back(std::move(cells));
    }
    return table;
}

}  // namespace

TextTable layout(const Report& report, ReportFormat format) {
    if (format == ReportFormat::csv) {
        return full_precision(report);
    }
    return report.has_references || report.rows.empty() ? against_paper(report)
                                                        : estimates_only(report);
}

}  // namespace schedfarm::campaigns
