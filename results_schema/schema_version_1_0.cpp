#include <algorithm>
#include <set>

#include "engine/foundation/expect.hpp"

#include "results_schema/schema_columns.hpp"
#include "results_schema/schema_history.hpp"

namespace schedfarm::results_schema {

TableSchema& table_named(std::vector<TableSchema>& tables, std::string_view name) {
    const auto found = std::find_if(tables.begin(), tables.end(), [&](const TableSchema& table) {
        return table.name == name;
    });
    SCHEDFARM_EXPECT(found != tables.end(), "every version has table '" + std::string(name) + "'");
    return *found;
}

ColumnSchema& column_named(TableSchema& table, std::string_view name) {
    const auto found =
        std::find_if(table.columns.begin(), table.columns.end(), [&](const ColumnSchema& column) {
            return column.name == name;
        });
    SCHEDFARM_EXPECT(
        found != table.columns.end(), "every version has column '" + std::string(name) + "'"
    );
    return *found;
}

namespace {

using namespace columns;  // NOLINT(google-build-using-namespace)

/// No program wrote this table, but the layout was published.
TableSchema comparisons() {
    return {
        "comparisons",
        "one row per pair of cells and metric: paired difference under common random numbers",
        Presence::optional,
        {},
        RowOrder::any,
        {
            count("first_cell", "cell that is compared", "3"),
            count("second_cell", "cell that it is compared with", "4"),
            metric("response_time.mean"),
            count("n", "pairs of replications with equal index", "400"),
            real("difference", unit_of_metric, "sum of (first_r - second_r) / n", "-0.52"),
            real(
                "standard_error",
                unit_of_metric,
                "of the difference: s of the pairs / sqrt(n)",
                "0.011"
            ),
            real("lower", unit_of_metric, "lower end of the confidence interval", "-0.542"),
            real("upper", unit_of_metric, "upper end of the confidence interval", "-0.498"),
            real("confidence", "1", "nominal coverage of the interval", "0.95"),
            text("method", "how the interval was made", "student_t"),
        }};
}

void restore_cells(TableSchema& cells) {
    ColumnSchema& status = column_named(cells, "status");
    status.meaning =
        "met: every precision target met; fixed: fixed number of replications complete; "
        "not_met_cap: cap on replications reached first; unstable: the queue grows without "
        "bound; incomplete: a failed replication lies inside the prefix; provisional: "
        "stopped before n was decided";
    status.words = {"met", "fixed", "not_met_cap", "unstable", "incomplete", "provisional"};
}

void restore_saturation(TableSchema& saturation) {
    saturation.meaning =
        "one row per saturated cell: the maximal utilization rho_max as ratio of busy to available "
        "processor-time, summed over the replications used";
    column_named(saturation, "standard_error").meaning =
        "residual standard deviation / (sqrt(n) * mean available processor-time)";
    column_named(saturation, "backlog").meaning = "waiting jobs, constant at every instant";
    ColumnSchema& method = column_named(saturation, "method");
    method.meaning = "how the interval was made";
    method.words.clear();
}

}  // namespace

std::vector<TableSchema> tables_of_version_1_0() {
    const std::set<std::string> later{
        "selections",
        "controlled_estimates",
        "stability",
        "search_steps",
        "quantiles",
        "sketches",
        "warm_up",
        "warm_up_checks"};
    std::vector<TableSchema> tables;
    for (const TableSchema& table : tables_of_version_1_1()) {
        if (!later.contains(table.name)) {
            tables.push_back(table);
        }
    }
    table_named(tables, "comparisons") = comparisons();
    restore_cells(table_named(tables, "cells"));
    restore_saturation(table_named(tables, "saturation"));
    column_named(table_named(tables, "estimates"), "method").meaning =
        "student_t, skew_adjusted or ratio";
    return tables;
}

}  // namespace schedfarm::results_schema
