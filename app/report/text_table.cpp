#include "app/report/text_table.hpp"

#include <algorithm>
#include <utility>

#include "engine/foundation/expect.hpp"
#include "engine/foundation/utf8.hpp"

#include "app/report/terminal_table.hpp"

namespace schedfarm::app {

namespace {

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
    return text;
}

std::string as_markdown(const TextTable& table) {
    std::string text = "### " + table.title + "\n\n";
    text += table.source.empty() ? "" : table.source + "\n\n";
    const auto escaped = [](const std::string& cell) {
        return replaced(cell, "|", "\\|");
    };
    for (const TextColumn& column : table.columns) {
        text += "| " + escaped(column.heading) + " ";
    }
    text += "|\n";
    for (const TextColumn& column : table.columns) {
        text += column.alignment == Alignment::left ? "|:---" : "|---:";
    }
    text += "|\n";
    for (const auto& row : table.rows) {
        for (const std::string& cell : row) {
            text += "| " + escaped(cell) + " ";
        }
        text += "|\n";
    }
    for (const std::string& note : table.notes) {
        text += "\n" + note + "\n";
    }
    return text;
}

std::string csv_field(const std::string& cell) {
    if (cell.find_first_of(",\"\n") == std::string::npos) {
        return cell;
    }
    return "\"" + replaced(cell, "\"", "\"\"") + "\"";
}

std::string as_csv(const TextTable& table) {
    std::string text;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        text += (c == 0 ? "" : ",") + csv_field(table.columns[c].heading);
    }
    text += "\n";
    for (const auto& row : table.rows) {
        for (std::size_t c = 0; c < row.size(); ++c) {
            text += (c == 0 ? "" : ",") + csv_field(row[c]);
        }
        text += "\n";
    }
    return text;
}

/// Names in result files and campaigns may hold anything; a table must not command a terminal.
TextTable without_controls(TextTable table) {
    const auto clean = [](std::string& text) {
        text = engine::without_controls(text, engine::LineBreaks::keep);
    };
    clean(table.title);
    clean(table.source);
    for (TextColumn& column : table.columns) {
        clean(column.heading);
    }
    for (auto& row : table.rows) {
        std::for_each(row.begin(), row.end(), clean);
    }
    std::for_each(table.notes.begin(), table.notes.end(), clean);
    return table;
}

}  // namespace

TextTable text_table(
    std::string title, const std::vector<std::string>& headings, std::size_t labels
) {
    TextTable table;
    table.title = std::move(title);
    table.label_columns = labels;
    for (const std::string& heading : headings) {
        table.columns.push_back(
            {heading.substr(1),
             heading.front() == '>' ? Alignment::right : Alignment::left,
             heading.front() == '~' ? Overflow::wrap : Overflow::widen}
        );
    }
    return table;
}

std::vector<TextTable> with_rows(TextTable table) {
    return table.rows.empty() ? std::vector<TextTable>() : std::vector{std::move(table)};
}

void add_warning(TextTable& table, const std::string& text) {
    if (!text.empty()) {
        table.notes.push_back(text);
        table.warnings.push_back(text);
    }
}

void drop_column(TextTable& table, std::size_t column) {
    SCHEDFARM_EXPECT(column < table.columns.size(), "only a column that is there can be dropped");
    const auto at = static_cast<std::ptrdiff_t>(column);
    table.columns.erase(table.columns.begin() + at);
    table.label_columns -= column < table.label_columns ? 1U : 0U;
    for (auto& row : table.rows) {
        row.erase(row.begin() + at);
    }
}

std::string render(const TextTable& given, ReportFormat format, std::size_t width) {
    const TextTable table = without_controls(given);
    for (const auto& row : table.rows) {
        SCHEDFARM_EXPECT(row.size() == table.columns.size(), "a row must have a cell per column");
    }
    switch (format) {
        case ReportFormat::text:
            return terminal_text(table, width);
        case ReportFormat::markdown:
            return as_markdown(table);
        case ReportFormat::csv:
            return as_csv(table);
        case ReportFormat::latex:
            return latex_tables(table);
    }
    return {};
}

}  // namespace schedfarm::app
