// A campaign of two policies at two loads with every analysis, built in code: cells 0 and 1 are
// fcfs at .6 and .9, cells 2 and 3 fpfs at .6 and .9.
#pragma once

#include "results_schema/tables/table.hpp"

namespace schedfarm::tests {

/// The cells with estimates of two metrics, four replications each, and no analysis.
results_schema::ResultFile two_by_two();

void add_cell(
    results_schema::ResultFile& results,
    std::uint64_t cell,
    const std::string& policy,
    double utilization
);

/// cell, metric, mean and half the interval.
void add_estimate(
    results_schema::ResultFile& results,
    std::uint64_t cell,
    const std::string& metric,
    double mean,
    double half_width
);

void add_comparison(
    results_schema::ResultFile& results,
    std::uint64_t first,
    std::uint64_t second,
    double difference,
    double half_width,
    const std::string& verdict
);

/// A saturated cell of the policy with its row in `saturation`.
void add_saturated(
    results_schema::ResultFile& results,
    const std::string& policy,
    std::uint64_t backlog,
    double utilization,
    double half_width
);

/// A row of `stability` whose start was not judged; -1: the queue kept below its limit.
void add_stability(
    results_schema::ResultFile& results,
    std::uint64_t cell,
    const char* verdict,
    double ratio,
    std::int64_t overflow_replication
);

}  // namespace schedfarm::tests
