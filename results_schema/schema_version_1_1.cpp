#include <map>
#include <string>

#include "results_schema/schema_history.hpp"

namespace schedfarm::results_schema {

std::vector<TableSchema> tables_of_version_1_1() {
    const std::map<std::string, std::size_t> columns_then = {{"timings", 4}, {"farm", 5}};
    std::vector<TableSchema> tables = tables_of_version_1_2();
    for (TableSchema& table : tables) {
        const auto found = columns_then.find(table.name);
        if (found != columns_then.end()) {
            table.columns.resize(found->second);
        }
    }
    return tables;
}

}  // namespace schedfarm::results_schema
