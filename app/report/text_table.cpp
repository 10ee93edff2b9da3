#include "app/report/text_table.hpp"

#include <algorithm>
#include <utility>

#include "engine/foundation/expect.hpp"
#include "engine/foundation/utf8.hpp"

#include "app/report/terminal_table.hpp"

namespace schedfarm::app {

namespace {

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

std::string render(TextTable given, std::size_t width) {
    const TextTable table = without_controls(std::move(given));
    for (const auto& row : table.rows) {
        SCHEDFARM_EXPECT(row.size() == table.columns.size(), "a row must have a cell per column");
    }
    return terminal_text(table, width);
}

}  // namespace schedfarm::app
