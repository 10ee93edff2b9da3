
#include "results_schema/schema_history.hpp"

namespace schedfarm::results_schema {

std::vector<TableSchema> tables_of_version_1_4() {
    std::vector<TableSchema> tables = schema_tables();
    std::erase_if(tables, [](const TableSchema& table) { return table.name == "job_classes"; });
    return tables;
}

}  // namespace schedfarm::results_schema
