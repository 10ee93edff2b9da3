#include "tests/app/report/analysed_results.hpp"

#include <limits>

#include <fmt/format.h>

#include "results_schema/tables/table_filling.hpp"

#include "tests/results_schema/fillable_results.hpp"

namespace schedfarm::tests {

using results_schema::add_row;
using results_schema::ResultFile;
using results_schema::Table;

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

void add_described_cell(
    ResultFile& results,
    std::uint64_t cell,
    const std::string& experiment,
    const std::string& policy,
    double utilization,
    const std::string& second_level
) {
    add_row(
        table_to_fill(results, "cells"),
        {{"cell", cell},
         {"label", policy + ", " + second_level},
         {"experiment", experiment},
         {"policy", policy},
         {"workload", "w"},
         {"clusters", "[32]"},
         {"utilization", utilization},
         {"replications_used", 4},
         {"replications_computed", 4},
         {"log_blocks", 0},
         {"status", "fixed"},
         {"most_demanding", ""},
         {"replication_key", fmt::format("key {}", cell)},
         {"resolved", "{}"},
         {"confidence", 0.95},
         {"interval", "skew_adjusted"},
         {"log_variance_ratio", nan},
         {"log_block_unit", "none"}}
    );
    add_row(
        table_to_fill(results, "factors"),
        {{"cell", cell}, {"factor", "policy"}, {"label", policy}, {"number", 0.0}}
    );
    add_row(
        table_to_fill(results, "factors"),
        {{"cell", cell},
         {"factor", experiment == "open" ? "load.utilization" : "horizon.backlog"},
         {"label", second_level},
         {"number", 0.0}}
    );
}

}  // namespace

void add_cell(
    ResultFile& results, std::uint64_t cell, const std::string& policy, double utilization
) {
    add_described_cell(results, cell, "open", policy, utilization, fmt::format("{}", utilization));
}

void add_estimate(
    ResultFile& results,
    std::uint64_t cell,
    const std::string& metric,
    double mean,
    double half_width
) {
    add_row(
        table_to_fill(results, "estimates"),
        {{"cell", cell},
         {"metric", metric},
         {"n", 4},
         {"mean", mean},
         {"standard_error", half_width / 2},
         {"lower", mean - half_width},
         {"upper", mean + half_width},
         {"confidence", 0.95},
         {"skewness", 0.0},
         {"method", "student_t"},
         {"given_log_lower", nan},
         {"given_log_upper", nan},
         {"unit", "time units"},
         {"largest_share", nan},
         {"gate", "passed"}}
    );
}

void add_comparison(
    ResultFile& results,
    std::uint64_t first,
    std::uint64_t second,
    double difference,
    double half_width,
    const std::string& verdict
) {
    const bool is_decided = verdict != "not decided";
    add_row(
        table_to_fill(results, "comparisons"),
        {{"group", first == 0 ? "load.utilization=0.6" : "load.utilization=0.9"},
         {"first_cell", first},
         {"second_cell", second},
         {"metric", "response_time.mean"},
         {"n", 4},
         {"difference", difference},
         {"standard_error", half_width / 2},
         {"skewness", is_decided ? 1.31 : -0.4},
         {"lower", difference - half_width},
         {"upper", difference + half_width},
         {"relative", difference / 4},
         {"relative_lower", (difference - half_width) / 4},
         {"relative_upper", (difference + half_width) / 4},
         {"confidence", is_decided ? 0.975 : 0.95},
         {"p_value", is_decided ? 1e-6 : 0.4},
         {"adjusted_p", is_decided ? 2e-6 : 0.4},
         {"e_value", is_decided ? 2e4 : 0.4},
         {"width_reduction", 2.4},
         {"width_reduction_lower", 2.1},
         {"width_reduction_upper", 2.7},
         {"verdict", verdict},
         {"family", 1},
         {"gate", "passed"}}
    );
}

void add_saturated(
    ResultFile& results,
    const std::string& policy,
    std::uint64_t backlog,
    double utilization,
    double half_width
) {
    const std::uint64_t cell = table_to_fill(results, "cells").rows();
    add_described_cell(results, cell, "saturated", policy, 0.0, fmt::format("{}", backlog));
    add_row(
        table_to_fill(results, "saturation"),
        {{"cell", cell},
         {"rho_max", utilization},
         {"lower", utilization - half_width},
         {"upper", utilization + half_width},
         {"standard_error", half_width / 2},
         {"n", 4},
         {"backlog", backlog},
         {"exact", 0.0},
         {"method", "ratio"},
         {"gate", "passed"}}
    );
}

ResultFile two_by_two() {
    ResultFile results = make_results();
    results_schema::set_attribute(results, "campaign_name", "two by two");
    add_cell(results, 0, "fcfs", 0.6);
    add_cell(results, 1, "fcfs", 0.9);
    add_cell(results, 2, "fpfs", 0.6);
    add_cell(results, 3, "fpfs", 0.9);
    Table& replications = table_to_fill(results, "replications");
    add_observation_column(replications, "response_time.mean", "time", "mean response time");
    add_observation_column(replications, "queue_length.mean", "1", "mean queue length");
    for (std::uint64_t cell = 0; cell < 4; ++cell) {
        const double level = 2.0 + static_cast<double>(cell);
        for (std::uint64_t r = 0; r < 4; ++r) {
            add_row(
                replications,
                {{"cell", cell},
                 {"replication", r},
                 {"fingerprint", 100 * cell + r},
                 {"jobs", 1000},
                 {"response_time.mean", level + 0.01 * static_cast<double>(r)},
                 {"queue_length.mean", 3 * level + 0.02 * static_cast<double>(r)}}
            );
        }
        add_estimate(results, cell, "response_time.mean", level + 0.015, 0.02);
        add_estimate(results, cell, "queue_length.mean", 3 * level + 0.03, 0.04);
    }
    return results;
}

void add_stability(
    results_schema::ResultFile& results,
    std::uint64_t cell,
    const char* verdict,
    double ratio,
    std::int64_t overflow_replication
) {
    const bool passed = overflow_replication >= 0;
    add_row(
        table_to_fill(results, "stability"),
        {{"cell", cell},
         {"verdict", verdict},
         {"growth", 0.1},
         {"growth_lower", 0.05},
         {"growth_upper", 0.15},
         {"half_ratio", ratio},
         {"half_ratio_lower", ratio - 0.1},
         {"half_ratio_upper", ratio + 0.1},
         {"start_bias", nan},
         {"start_bias_lower", nan},
         {"start_bias_upper", nan},
         {"start_bias_allowed", nan},
         {"overflow_replication", overflow_replication},
         {"overflow_time", passed ? 812.5 : nan},
         {"overflow_jobs", passed ? 100432 : 0}}
    );
}

}  // namespace schedfarm::tests
