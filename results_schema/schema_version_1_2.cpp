#include "results_schema/schema_history.hpp"

namespace schedfarm::results_schema {

std::vector<TableSchema> tables_of_version_1_2() {
    return schema_tables();
}

}  // namespace schedfarm::results_schema
