#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "results_schema/absent.hpp"
#include "results_schema/schema.hpp"
#include "results_schema/tables/table_filling.hpp"

#include "app/run/tables/analysis_tables.hpp"

namespace schedfarm::app {

using results_schema::NamedValue;
using results_schema::Table;

namespace {

NamedValue value_for(const Table& table, const PlannedTable::Value& value) {
    if (value.is_text) {
        return {value.column, value.text};
    }
    const double number = value.number.value_or(results_schema::absent);
    if (std::holds_alternative<std::vector<std::uint64_t>>(table.at(value.column).data)) {
        return {value.column, static_cast<std::uint64_t>(number)};
    }
    return {value.column, number};
}

}  // namespace

std::vector<Table> claim_tables(const std::vector<PlannedTable>& planned) {
    std::vector<Table> tables;
    for (const PlannedTable& own : planned) {
        Table table = results_schema::make_table(own.name);
        for (const std::vector<PlannedTable::Value>& row : own.rows) {
            std::vector<NamedValue> values;
            for (const PlannedTable::Value& value : row) {
                values.push_back(value_for(table, value));
            }
            add_row(table, values);
        }
        tables.push_back(std::move(table));
    }
    return tables;
}

}  // namespace schedfarm::app
