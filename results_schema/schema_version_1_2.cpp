
#include "results_schema/schema_history.hpp"

namespace schedfarm::results_schema {

std::vector<TableSchema> tables_of_version_1_2() {
    std::vector<TableSchema> tables = tables_of_version_1_3();
    std::erase_if(tables, [](const TableSchema& table) {
        return table.name == "utilization_series" || table.name == "users";
    });
    return tables;
}

}  // namespace schedfarm::results_schema
