#include "tests/results_schema/example_results.hpp"

#include <limits>

#include "results_schema/schema.hpp"
#include "results_schema/tables/table_filling.hpp"

#include "tests/results_schema/fillable_results.hpp"

namespace schedfarm::tests {

namespace {

using namespace results_schema;  // NOLINT(google-build-using-namespace)

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();

struct ExampleTiming {
    double seconds = 0;
    std::uint64_t rank = 0;
    std::uint64_t run = 0;
    double began = 0;
};

void add_timing(
    Table& timings, std::uint64_t cell, std::uint64_t replication, const ExampleTiming& timing
) {
    add_row(
        timings,
        {{"cell", cell},
         {"replication", replication},
         {"seconds", timing.seconds},
         {"rank", timing.rank},
         {"run", timing.run},
         {"began", timing.began}}
    );
}

void fill_cells(ResultFile& results) {
    Table& cells = table_to_fill(results, "cells");
    add_row(
        cells,
        {{"cell", 0},
         {"label", "fcfs, ρ = 0.7"},
         {"experiment", "open"},
         {"policy", "fcfs"},
         {"workload", "{coallocation: {request: total}}"},
         {"clusters", "[32]"},
         {"utilization", 0.7},
         {"replications_used", 3},
         {"replications_computed", 4},
         {"log_blocks", 0},
         {"status", "met"},
         {"most_demanding", "response_time.mean"},
         {"replication_key", std::string(64, 'a')},
         {"resolved", R"({"experiment": "open"})"},
         {"confidence", 0.95},
         {"interval", "skew_adjusted"},
         {"log_variance_ratio", nan},
         {"log_block_unit", "none"}}
    );
    add_row(
        cells,
        {{"cell", 1},
         {"label", ""},
         {"experiment", "saturated"},
         {"policy", "{fpfs: {max_jumps: 7}}"},
         {"workload", "{coallocation: {request: total}}"},
         {"clusters", "[8, 8, 8, 8]"},
         {"utilization", nan},
         {"replications_used", 2},
         {"replications_computed", 2},
         {"log_blocks", 0},
         {"status", "fixed"},
         {"most_demanding", ""},
         {"replication_key", std::string(64, 'b')},
         {"resolved", R"({"experiment": "saturated"})"},
         {"confidence", 0.95},
         {"interval", "skew_adjusted"},
         {"log_variance_ratio", nan},
         {"log_block_unit", "none"}}
    );
    Table& factors = table_to_fill(results, "factors");
    add_row(
        factors, {{"cell", 0}, {"factor", "load.utilization"}, {"label", "0.7"}, {"number", 0.7}}
    );
    add_row(factors, {{"cell", 1}, {"factor", "policy"}, {"label", "fpfs"}, {"number", nan}});
}

void fill_replications(ResultFile& results) {
    Table& table = table_to_fill(results, "replications");
    add_observation_column(table, "response_time.mean", "time", "mean response time");
    add_observation_column(
        table, "gross_utilization[class=1]", "1", "busy processor-time, class 1"
    );
    const auto open = [&](std::uint64_t replication, std::uint64_t fingerprint, double response) {
        add_row(
            table,
            {{"cell", 0},
             {"replication", replication},
             {"fingerprint", fingerprint},
             {"jobs", 20000},
             {"response_time.mean", response}}
        );
    };
    open(0, largest, -0.0);
    open(1, 0, infinity);
    open(2, 9151314442816847872U, 5e-324);
    for (const int replication : {0, 1}) {
        add_row(
            table,
            {{"cell", 1},
             {"replication", replication},
             {"fingerprint", 1},
             {"jobs", 20000},
             {"gross_utilization[class=1]", 0.1 * (7 + replication)}}
        );
    }
}

void fill_estimates(ResultFile& results) {
    add_row(
        table_to_fill(results, "estimates"),
        {{"cell", 0},
         {"metric", "response_time.mean"},
         {"n", 3},
         {"mean", 3.21},
         {"standard_error", 0.0121},
         {"lower", 3.186},
         {"upper", 3.234},
         {"confidence", 0.95},
         {"skewness", 0.31},
         {"method", "skew_adjusted"},
         {"given_log_lower", 3.19},
         {"given_log_upper", 3.23},
         {"unit", "s"},
         {"largest_share", 0.0123},
         {"gate", "passed"}}
    );
    add_row(
        table_to_fill(results, "saturation"),
        {{"cell", 1},
         {"rho_max", 0.7069},
         {"lower", 0.7062},
         {"upper", 0.7076},
         {"standard_error", 0.00036},
         {"n", 2},
         {"backlog", 1},
         {"exact", nan},
         {"method", "ratio"},
         {"gate", "passed"}}
    );
}

void fill_theory(ResultFile& results) {
    add_row(
        table_to_fill(results, "known_values"),
        {{"cell", 1},
         {"metric", "capacity_loss"},
         {"label", "approximation eq. (4)"},
         {"value", 0.0313},
         {"is_exact", 0},
         {"source", "Eq. (4)"}}
    );
    add_row(
        table_to_fill(results, "reference"),
        {{"cell", 1},
         {"metric", "capacity_loss"},
         {"known_label", ""},
         {"column", "queueing model"},
         {"value", 0.031},
         {"rounding", 0.0005},
         {"runs", 0},
         {"measured", 0.0312},
         {"standard_error", 0.0002},
         {"lower", 0.0308},
         {"upper", 0.0316},
         {"z", 0.8},
         {"verdict", "agrees"},
         {"note", "first line\nsecond line"},
         {"gate", "passed"}}
    );
}

void fill_circumstances(ResultFile& results) {
    add_row(
        table_to_fill(results, "failures"),
        {{"cell", 0},
         {"replication", 3},
         {"status", "failed"},
         {"message", "service time is negative"},
         {"replay", "schedfarm replay results.h5 0 3"}}
    );
    Table& timings = table_to_fill(results, "timings");
    add_timing(timings, 0, 0, {0.02, 1, 1, 0.5});
    add_timing(timings, 0, 1, {0.25, 1, 1, 0.52});
    add_timing(timings, 0, 2, {0.25, 1, 2, 0.125});
    add_timing(timings, 1, 1, {1, 0, 0, nan});
    add_row(
        table_to_fill(results, "farm"),
        {{"rank", 0},
         {"host", "node017"},
         {"tasks", 6},
         {"busy", 8.8},
         {"idle", 0.1},
         {"dispatch", 0.02},
         {"io", 0.3},
         {"run", 2}}
    );
}

}  // namespace

void set_example_attributes(ResultFile& results) {
    for (const AttributeSchema& schema : schema_attributes()) {
        if (schema.origin == Origin::caller && schema.type == ColumnType::text) {
            set_attribute(results, schema.name, schema.example);
        }
    }
    // SHA-256 of "campaign_format: 1 ...", as sha256sum prints it.
    set_attribute(
        results, "campaign_hash", "a956ea98069acce668c97dbdc25d5896324e1184c17ab8a3c8944b688d102b30"
    );
    set_attribute(results, "plan_hash", std::string(64, '8'));
    set_attribute(results, "ranks", std::int64_t{9});
}

ResultFile example_results() {
    ResultFile results = make_results();
    set_example_attributes(results);
    fill_cells(results);
    fill_replications(results);
    fill_estimates(results);
    fill_theory(results);
    fill_analyses(results);
    fill_circumstances(results);
    return results;
}

ResultFile many_replications(std::uint64_t rows) {
    ResultFile results = make_results();
    set_example_attributes(results);
    add_row(
        table_to_fill(results, "cells"),
        {{"cell", 0},
         {"label", "many"},
         {"experiment", "open"},
         {"policy", "fcfs"},
         {"workload", "coallocation"},
         {"clusters", "[32]"},
         {"utilization", 0.7},
         {"replications_used", rows},
         {"replications_computed", rows},
         {"log_blocks", 0},
         {"status", "fixed"},
         {"most_demanding", ""},
         {"replication_key", ""},
         {"resolved", ""},
         {"confidence", 0.95},
         {"interval", "skew_adjusted"},
         {"log_variance_ratio", nan},
         {"log_block_unit", "none"}}
    );
    Table& table = table_to_fill(results, "replications");
    add_observation_column(table, "response_time.mean", "time", "mean response time");
    for (std::uint64_t row = 0; row < rows; ++row) {
        add_row(
            table,
            {{"cell", 0},
             {"replication", row},
             {"fingerprint", row * row},
             {"jobs", 1},
             {"response_time.mean", 1.0 / (1.0 + static_cast<double>(row))}}
        );
    }
    return results;
}

}  // namespace schedfarm::tests
