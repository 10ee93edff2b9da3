// What a cell's replications say: estimates with intervals, and how the cell ended. Pure functions
// of the ordered prefix.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/statistics/estimate.hpp"

#include "app/run/cell_progress.hpp"
#include "app/run/rules/gate.hpp"

namespace schedfarm::app {

enum class EstimateKind : std::uint8_t {
    mean,
    ratio,     ///< of sums over the replications
    quantile,  ///< of all jobs of all replications
};

struct MetricEstimate {
    std::string_view metric;  ///< a column of the cell, which keeps the name
    /// Absent below two replications. Where these resample a log, standard error and interval are
    /// for logs like it.
    std::optional<engine::Estimate> estimate;
    EstimateKind kind = EstimateKind::mean;
    std::optional<double> only_value = std::nullopt;  ///< of one replication: no interval
    /// Of the mean over all draws from a resampled log.
    std::optional<engine::Interval> given_log = std::nullopt;
    /// Of the replications, as `by_replication()` has them.
    std::optional<double> largest_share = std::nullopt;
    GateAnswer gate = GateAnswer::passed;  ///< whether the interval holds what it promises
};

struct CellSummary {
    /// How the cell ended, a word of the column `status` of `cells`, where SCHEMA.md explains it.
    std::string_view status = "provisional";
    std::uint64_t used = 0;
    std::uint64_t computed = 0;
    std::string most_demanding;         ///< metric, or its difference; empty without targets
    std::optional<double> utilization;  ///< of a cell with a load of its own or a placed one
};

/// One metric over the replications used. REQUIRES: observed by a cell whose load is not searched
/// for.
MetricEstimate estimate_metric(const CellProgress& progress, const std::string& metric);
MetricEstimate estimate_metric(
    const CellProgress& progress, const std::string& metric, engine::IntervalMethod method
);

/// The same for who looks while the cell computes: as long as it is open its interval is that of a
/// confidence sequence, which holds however often one looks; then the one of the results.
MetricEstimate estimate_at_a_look(const CellProgress& progress, const std::string& metric);

/// One per observation column, in column order; none for a search, whose replications ran at
/// different loads.
std::vector<MetricEstimate> estimates_of(const CellProgress& progress);

CellSummary summarize(const CellProgress& progress);

}  // namespace schedfarm::app
