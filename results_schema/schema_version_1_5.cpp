
#include "results_schema/schema_history.hpp"

namespace schedfarm::results_schema {

/// What came later lies in job logs, job_log_schema_of().
std::vector<TableSchema> tables_of_version_1_5() {
    return schema_tables();
}

}  // namespace schedfarm::results_schema
