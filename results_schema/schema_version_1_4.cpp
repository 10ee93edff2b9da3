
#include "results_schema/schema_history.hpp"

namespace schedfarm::results_schema {

std::vector<TableSchema> tables_of_version_1_4() {
    std::vector<TableSchema> tables = tables_of_version_1_5();
    std::erase_if(tables, [](const TableSchema& table) { return table.name == "job_classes"; });
    return tables;
}

}  // namespace schedfarm::results_schema
