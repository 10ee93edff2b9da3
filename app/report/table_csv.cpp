#include "app/report/table_csv.hpp"

#include <cmath>
#include <functional>
#include <type_traits>

#include <fmt/format.h>

#include "app/report/result_view.hpp"
#include "app/report/text_table.hpp"

namespace schedfarm::app {

namespace {

using results_schema::Column;
using results_schema::Table;

std::string field_of(const Column& column, std::size_t row) {
    const auto* reals = std::get_if<Reals>(&column.data);
    return reals != nullptr && std::isnan((*reals)[row]) ? ""
                                                         : results_schema::value_text(column, row);
}

using Field = std::function<std::string(std::size_t row)>;

void add_column(TextTable& text, const std::string& heading, const Field& field) {
    text.columns.push_back({heading, Alignment::left});
    for (std::size_t row = 0; row < text.rows.size(); ++row) {
        text.rows[row].push_back(field(row));
    }
}

/// The levels of the cells of every row, of factors whose name is no column's.
void add_levels(TextTable& text, const Table& table, const CellLabels& labels) {
    const Counts& cells = column_of<Counts>(table, "cell");
    for (const std::string& factor : labels.factors()) {
        if (table.find(factor) == nullptr) {
            add_column(text, factor, [&](std::size_t row) {
                return labels.level(cells[row], factor);
            });
        }
    }
}

/// What the cells of a pair are called beside each other; `side`: "first" or "second".
void add_side(
    TextTable& text, const Table& table, const std::string& side, const CellLabels& labels
) {
    const Counts& first = column_of<Counts>(table, "first_cell");
    const Counts& second = column_of<Counts>(table, "second_cell");
    const Counts& own = side == "first" ? first : second;
    add_column(text, side, [&](std::size_t row) {
        return labels.label(own[row], labels.distinguishing({first[row], second[row]}));
    });
}

}  // namespace

std::vector<std::string> table_names(const results_schema::ResultFile& results) {
    std::vector<std::string> names;
    for (const Table& table : results.tables) {
        names.push_back(table.name);
    }
    return names;
}

std::string table_csv(const results_schema::ResultFile& results, const std::string& name) {
    const Table& table = table_of(results, name.c_str());
    const CellLabels labels(results);
    TextTable text;
    text.rows.resize(table.rows());
    for (const Column& column : table.columns) {
        add_column(text, column.name, [&](std::size_t row) { return field_of(column, row); });
        if (column.name == "cell") {
            add_levels(text, table, labels);
        } else if (column.name == "first_cell") {
            add_side(text, table, "first", labels);
        } else if (column.name == "second_cell") {
            add_side(text, table, "second", labels);
        }
    }
    return render(text, ReportFormat::csv);
}

}  // namespace schedfarm::app
