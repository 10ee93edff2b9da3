// How far one cell has come: its results by replication index, the ordered prefix, and what has
// been decided of it. Where the program finds the horizon (app/campaign/plan/lengthening.hpp) the
// prefix is that of the present horizon: replications are counted from its first, and those of
// shorter ones stay outside of every estimate. Everything that ends in the payload is a function of
// the prefix, never of the order in which results came in.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/simulation/measurement/observations.hpp"
#include "engine/statistics/estimate.hpp"

#include "app/campaign/plan/plan.hpp"
#include "app/run/journal/outcome_prefix.hpp"
#include "app/run/rules/cell_decision.hpp"

namespace schedfarm::app {

/// One metric over a prefix of replications; with denominators the metric is a ratio of sums, with
/// sketches a quantile of all jobs.
struct MetricSample {
    std::vector<double> values;        ///< of a quantile: each replication's own
    std::vector<double> denominators;  ///< empty: an ordinary mean
    std::vector<const engine::SketchBuckets*> sketches = {};  ///< of a quantile
    double probability = 0;                                   ///< of a quantile
    bool is_saturated = false;                                ///< utilization of a saturated system

    /// One value per replication, whose mean is the metric, to be compared with other cells'; of a
    /// quantile each replication's own; NaN: a ratio of nothing.
    std::vector<double> by_replication() const {
        return denominators.empty() ? values : engine::linearized_ratio(values, denominators);
    }
    /// How many replications bring something: of a ratio those with a denominator.
    std::uint64_t carriers() const;
    /// The kind of its interval where this one is asked for: Student's stands for the skew-adjusted
    /// one of a saturated system's utilization (docs/background/saturation.md).
    engine::IntervalMethod method(engine::IntervalMethod asked) const {
        return is_saturated && asked == engine::IntervalMethod::skew_adjusted
                   ? engine::IntervalMethod::student_t
                   : asked;
    }
    /// Of the kind that it is: the pooled quantile, the ratio, the mean; absent below two
    /// replications, and where there is nothing to divide by.
    std::optional<engine::Estimate> estimate(double confidence, engine::IntervalMethod asked) const;
    /// As a target of the stop rule.
    engine::TargetObservations observations(engine::PrecisionTarget target) const {
        target.method = method(target.method);
        return {target, values, denominators, sketches, probability};
    }
};

struct IndexedOutcome {
    std::uint32_t replication = 0;
    ReplicationTiming timing;
    const ReplicationFailure* failure = nullptr;  ///< null: it is observed
};

/// Who decides how many replications a cell needs.
enum class Governance : std::uint8_t {
    own,              ///< the cell's own stop rule
    own_but_horizon,  ///< likewise, and a group of cells that it is compared with the horizon
    group,            ///< a rule over several cells, or a search: want() and conclude()
};

class CellProgress {
  public:
    explicit CellProgress(const Cell& cell, Governance governance = Governance::own);
    CellProgress(const CellProgress&) = delete;
    CellProgress& operator=(const CellProgress&) = delete;

    /// The index to dispatch next, if more is wanted than has been dispatched.
    std::optional<std::uint32_t> next_replication();
    /// Dispatches this replication; false where it is not wanted, or is dispatched already.
    bool dispatch(std::uint32_t replication);
    /// How many replications next_replication() would give now.
    std::uint64_t ready() const;
    /// Takes an outcome, from a worker or from a journal (then it need not have been dispatched).
    void accept(std::uint32_t replication, ReplicationOutcome outcome);

    // For a rule that governs the cell.
    /// The next decision needs a prefix of `next_check`; up to `dispatch_limit` may be dispatched.
    void want(const CellDecision& decision);
    /// The number of replications is decided.
    void conclude(const CellDecision& decision);
    /// Begins anew at a longer horizon, with what is left of the budget. REQUIRES: the program
    /// finds the horizon; level() < level <= last_level.
    void lengthen(std::uint32_t level);
    /// own_but_horizon: the level at which the cell wants to begin anew. It computes nothing more
    /// until its group has decided.
    std::optional<std::uint32_t> wanted_level() const { return wanted_level_; }

    /// A placed load is known now: the cell may begin. REQUIRES: the cell waits for its load.
    void place_load(double utilization);
    bool waits_for_load() const { return cell_.placed_load && !utilization_; }
    /// The load of the cell, where it has one.
    std::optional<double> utilization() const { return utilization_; }

    /// True when the number of replications is decided, or a failed one blocks the prefix.
    bool finished() const;
    /// Replications that the estimates rest on: the stopping index, or the last checkpoint passed.
    std::uint64_t used() const;
    /// Replications 0 … prefix() − 1 are observed.
    std::uint64_t prefix() const { return now_->prefix(); }
    /// Replications with an outcome, used or not, at any horizon.
    std::uint64_t computed() const;
    /// Those of them at the present horizon.
    std::uint64_t computed_now() const { return now_->computed(); }
    /// Those at any horizon without observations.
    std::uint64_t failed() const;
    /// The number that the cell is expected to need.
    std::uint64_t predicted() const;
    /// Replications dispatched to workers that have no outcome yet.
    std::uint64_t in_flight() const;
    bool has_hole() const { return hole().has_value(); }
    /// The failed replication inside what is wanted, if any: nothing behind it counts.
    std::optional<std::uint64_t> hole() const { return now_->hole(); }
    const CellDecision& decision() const { return decision_; }
    /// With the present horizon, and what is left of its budget.
    const Cell& cell() const { return lengthened_ ? *lengthened_ : cell_; }

    /// The outcomes at the present horizon, counted from its first.
    const OutcomePrefix& outcomes() const { return *now_; }
    /// REQUIRES: replication `index` is observed.
    ObservedReplication observed(std::uint64_t index) const { return now_->observed(index); }
    /// Of a replication that has observations, at any horizon; else absent.
    std::optional<std::uint64_t> fingerprint(std::uint32_t replication) const;
    /// The index of replication number `number` at the present horizon.
    std::uint32_t index_of(std::uint64_t number) const;
    /// Every outcome, also those at shorter horizons, by index.
    std::vector<IndexedOutcome> all_outcomes() const;
    /// 0 at the first horizon; 2^level times as long.
    std::uint32_t level() const { return level_; }
    /// Values of one observation column over the first `n` replications, in index order.
    std::vector<double> column(std::size_t index, std::uint64_t n) const;
    /// The same for a metric by name; in a saturated experiment gross_utilization and capacity_loss
    /// are ratios of areas, the mean over jobs of a class is a ratio of sums, to which a
    /// replication without such a job brings nothing; of quantiles that sketches know, and whose
    /// replications have all ended, there are the sketches. REQUIRES: observed by the cell.
    MetricSample metric_sample(const std::string& metric, std::uint64_t n) const;
    /// A column as an ordinary mean, or as that over jobs of a class.
    MetricSample column_sample(std::size_t index, std::uint64_t n) const;
    /// The first of `n` replications whose queue passed its limit.
    std::optional<std::uint64_t> overflow(std::uint64_t n) const;
    /// Jobs, events and wall seconds of the first `n` replications.
    std::uint64_t jobs(std::uint64_t n) const;
    std::uint64_t events(std::uint64_t n) const;
    double seconds(std::uint64_t n) const;
    /// Mean wall seconds of a replication so far; 0 when none has been seen.
    double mean_seconds() const;

  private:
    void take_decisions();
    std::uint64_t dispatch_limit() const;

    const Cell& cell_;
    Governance governance_;
    std::optional<double> utilization_;
    std::map<std::uint32_t, OutcomePrefix> levels_;
    std::uint32_t level_ = 0;
    OutcomePrefix* now_;                // that of level_
    std::unique_ptr<Cell> lengthened_;  // beyond the first level
    CellDecision decision_;
    std::optional<std::uint32_t> wanted_level_;
};

/// Position of an observation column by name; absent when the cell does not observe it.
std::optional<std::size_t> column_index(const Cell& cell, const std::string& name);

/// A quantile that the sketches of a cell know.
struct QuantileSource {
    std::size_t sketch = 0;  ///< position in Observations::sketches
    double probability = 0;
};
/// Absent where the column is no quantile or has no sketch, as those of queue_length.
std::optional<QuantileSource> quantile_source(const Cell& cell, const std::string& column);

}  // namespace schedfarm::app
