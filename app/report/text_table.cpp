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

std::string render(TextTable given, ReportFormat format, std::size_t width) {
    const TextTable table = without_controls(std::move(given));
    for (const auto& row : table.rows) {
        SCHEDFARM_EXPECT(row.size() == table.columns.size(), "a row must have a cell per column");
    }
    switch (format) {
        case ReportFormat::text:
            return terminal_text(table, width);
        case ReportFormat::markdown:
            return as_markdown(table);
    }
    return {};
}

}  // namespace schedfarm::app
