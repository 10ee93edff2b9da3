
#include "results_schema/schema_history.hpp"

namespace schedfarm::results_schema {

std::vector<TableSchema> tables_of_version_1_3() {
    std::vector<TableSchema> tables = tables_of_version_1_4();
    std::erase_if(tables, [](const TableSchema& table) {
        return table.name == "quantities" || table.name == "claims" || table.name == "claim_values";
    });
    return tables;
}

}  // namespace schedfarm::results_schema
