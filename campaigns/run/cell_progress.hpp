// How far one cell has come: its results by replication index, the ordered prefix, and what the
// stop rule says of it. Everything that ends in the payload is a function of the prefix, never of
// the order in which results came in.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/simulation/observations.hpp"
#include "engine/statistics/stop_rule.hpp"

#include "campaigns/plan/plan.hpp"

namespace schedfarm::campaigns {

/// One replication's outcome: observations, or the reason why there are none.
struct ReplicationOutcome {
    std::optional<engine::Observations> observations;
    std::string failure;  ///< message; empty when observed
    std::string failure_status;
    double seconds = 0;
    std::uint32_t rank = 0;
};

/// One metric over a prefix of replications; with denominators the metric is a ratio of sums.
struct MetricSample {
    std::vector<double> values;
    std::vector<double> denominators;  ///< empty: an ordinary mean
};

/// The lower bound (confidence .999) on backlog growth above which a cell counts as unstable. In a
/// stable system started empty the growth tends to 0, at load ρ above ρ_max to ρ / ρ_max − 1.
inline constexpr double unstable_growth = 0.02;

class CellProgress {
  public:
    explicit CellProgress(const Cell& cell);

    /// The index to dispatch next, if the stop rule wants more than has been dispatched.
    std::optional<std::uint32_t> next_replication();
    /// How many replications next_replication() would give now.
    std::uint64_t ready() const;
    /// Takes an outcome, from a worker or from a journal (then it need not have been dispatched).
    void accept(std::uint32_t replication, ReplicationOutcome outcome);

    /// True when the number of replications is decided, or a failed one blocks the prefix.
    bool finished() const;
    /// Replications that the estimates rest on: the stopping index, or the last checkpoint passed.
    std::uint64_t used() const;
    /// Replications with an outcome, used or not.
    std::uint64_t computed() const { return computed_; }
    /// The number that the stop rule expects to need.
    std::uint64_t predicted() const;
    /// Replications dispatched to workers that have no outcome yet.
    std::uint64_t in_flight() const { return dispatched_count_ - computed_; }
    bool has_hole() const { return hole_.has_value(); }
    const engine::StopDecision& decision() const { return decision_; }
    const Cell& cell() const { return cell_; }

    /// Outcomes by replication index; absent where nothing has come in.
    const std::vector<std::optional<ReplicationOutcome>>& outcomes() const { return outcomes_; }
    /// Values of one observation column over the first `n` replications, in index order.
    std::vector<double> column(std::size_t index, std::uint64_t n) const;
    /// The same for a metric by name; in a saturated experiment gross_utilization and capacity_loss
    /// are ratios of areas. REQUIRES: observed by the cell.
    MetricSample metric_sample(const std::string& metric, std::uint64_t n) const;
    /// Whether the queue grows without bound, judged by the first `n` replications. A cell with
    /// precision targets stops at the first checkpoint that says so: its mean means nothing.
    bool grows_without_bound(std::uint64_t n) const;
    /// Mean wall seconds of a replication so far; 0 when none has been seen.
    double mean_seconds() const;

  private:
    void skip_dispatched();
    void advance_prefix();
    void take_decisions();
    std::uint64_t dispatch_limit() const;

    const Cell& cell_;
    std::vector<std::optional<ReplicationOutcome>> outcomes_;
    std::vector<bool> dispatched_;
    std::uint64_t dispatched_count_ = 0;
    std::uint64_t next_dispatch_ = 0;
    std::uint64_t computed_ = 0;
    std::uint64_t prefix_ = 0;           // replications 0 … prefix_ − 1 are observed
    std::optional<std::uint64_t> hole_;  // first failed replication inside what is wanted
    std::uint64_t checkpoint_ = 0;       // the next one to decide at
    engine::StopDecision decision_;
    double seconds_ = 0;
};

/// Position of an observation column by name; absent when the cell does not observe it.
std::optional<std::size_t> column_index(const Cell& cell, const std::string& name);

}  // namespace schedfarm::campaigns
