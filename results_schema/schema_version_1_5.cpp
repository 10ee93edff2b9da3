
#include "results_schema/schema_history.hpp"

namespace schedfarm::results_schema {

namespace {

void restore_cells(TableSchema& cells) {
    ColumnSchema& status = column_named(cells, "status");
    status.meaning =
        "met: every precision target met; fixed: fixed number of replications complete; "
        "not_met_cap, not_met_budget: cap on replications or budget reached first; unstable: the "
        "queue grows without bound; selected, eliminated: by the selection of the best; "
        "incomplete: a failed replication lies inside the prefix; provisional: stopped before n "
        "was decided, or by a clock";
    std::erase(status.words, "not_met_missing");
}

}  // namespace

/// What else came later lies in job logs, job_log_schema_of().
std::vector<TableSchema> tables_of_version_1_5() {
    std::vector<TableSchema> tables = schema_tables();
    restore_cells(table_named(tables, "cells"));
    return tables;
}

}  // namespace schedfarm::results_schema
