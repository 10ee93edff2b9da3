#include "tests/results_schema/fillable_results.hpp"

#include <algorithm>
#include <cstddef>

#include "results_schema/schema.hpp"

namespace schedfarm::tests {

namespace {

std::ptrdiff_t position_in_schema(std::string_view table) {
    return results_schema::find_table_schema(table) - results_schema::schema_tables().data();
}

}  // namespace

results_schema::ResultFile make_results() {
    results_schema::ResultFile results;
    for (const results_schema::TableSchema& schema : results_schema::schema_tables()) {
        if (schema.presence == results_schema::Presence::required) {
            results.tables.push_back(results_schema::make_table(schema.name));
        }
    }
    return results;
}

results_schema::Table& table_to_fill(results_schema::ResultFile& results, std::string_view name) {
    const auto place = std::find_if(
        results.tables.begin(),
        results.tables.end(),
        [position = position_in_schema(name)](const results_schema::Table& table) {
            return position_in_schema(table.name) >= position;
        }
    );
    if (place != results.tables.end() && place->name == name) {
        return *place;
    }
    return *results.tables.insert(place, results_schema::make_table(name));
}

}  // namespace schedfarm::tests
