// What a cell's replications say: estimates with intervals, the saturation point, and how the cell
// ended. A pure function of the ordered prefix.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/statistics/estimate.hpp"

#include "app/run/cell_progress.hpp"
#include "app/run/rules/cell_stability.hpp"

namespace schedfarm::app {

/// How a cell ended; the words are those of the result file.
enum class CellStatus : std::uint8_t {
    fixed,               ///< the fixed number of replications is complete
    met,                 ///< every precision target is met
    met_not_stationary,  ///< they are, but the run is too short: the start may show beyond the ±
    not_met_cap,         ///< the cap on replications was reached first
    not_met_budget,      ///< a budget in replications, jobs or events was reached first
    not_met_log,      ///< the log leaves more open than a target allows, however many replications
    not_met_missing,  ///< a replication lacks the value of a target
    unstable,         ///< the queue grows without bound at this load
    selected,         ///< the best of its group
    eliminated,       ///< not the best of its group
    not_bracketed,    ///< the load searched for lies outside `between`
    incomplete,       ///< a failed replication lies inside the prefix
    provisional,      ///< stopped before the number of replications was decided, or by a clock
};

std::string_view status_word(CellStatus status);

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
};

struct CellSummary {
    CellStatus status = CellStatus::provisional;
    std::uint64_t used = 0;
    std::uint64_t computed = 0;
    CellStability stability;
    std::string most_demanding;  ///< metric; empty without targets
    std::vector<MetricEstimate>
        estimates;  ///< one per observation column, in column order; none for a search
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

CellSummary summarize(const CellProgress& progress);

}  // namespace schedfarm::app
