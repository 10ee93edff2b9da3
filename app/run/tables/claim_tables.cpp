#include <utility>
#include <vector>

#include "results_schema/absent.hpp"
#include "results_schema/schema.hpp"
#include "results_schema/tables/table_filling.hpp"

#include "app/run/tables/analysis_tables.hpp"

namespace schedfarm::app {

using results_schema::NamedValue;
using results_schema::Table;

std::vector<Table> claim_tables(const std::vector<PlannedTable>& planned) {
    std::vector<Table> tables;
    for (const PlannedTable& own : planned) {
        Table table = results_schema::make_table(own.name);
        for (const std::vector<PlannedTable::Value>& row : own.rows) {
            std::vector<NamedValue> values;
            for (const PlannedTable::Value& value : row) {
                if (value.is_text) {
                    values.emplace_back(value.column, value.text);
                } else {
                    values.emplace_back(
                        value.column, value.number.value_or(results_schema::absent)
                    );
                }
            }
            add_row(table, values);
        }
        tables.push_back(std::move(table));
    }
    return tables;
}

}  // namespace schedfarm::app
