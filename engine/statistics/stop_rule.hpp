// Sequential stopping on the ordered prefix: a pure function of the observations by replication
// index and the target. Checked at min and then at n growing by 1.2, never in between, so that the
// stopping index does not depend on how many replications happen to be finished: the decision is
// that of the first checkpoint at which every target is met, however many replications lie beyond.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "engine/statistics/estimate.hpp"
#include "engine/statistics/log_interval.hpp"
#include "engine/statistics/log_sketch.hpp"

namespace schedfarm::engine {

struct PrecisionTarget {
    std::optional<double> relative;  ///< ε: stop when the longer side <= ε / (1 + ε) · |mean|
    std::optional<double> absolute;  ///< or when the longer side <= this, in the metric's unit
    double confidence = 0.95;
    IntervalMethod method = IntervalMethod::skew_adjusted;  ///< of a ratio: student_t instead
    /// Of the log that the replications resample: the interval is then of_logs_like_it().
    std::optional<LogBlocks> log = {};
};

/// The longest side of an interval around `mean` with which the target is met.
double allowed_side(const PrecisionTarget& target, double mean);

struct ReplicationLimits {
    std::uint64_t min = 64;
    std::uint64_t max = 100000;
};

enum class StopState : std::uint8_t {
    go_on,
    met,
    cap_reached,
    out_of_reach,  ///< the log leaves more open than a target allows, however many replications
};

struct StopDecision {
    StopState state = StopState::go_on;
    std::uint64_t n = 0;             ///< replications that the decision rests on, a checkpoint
    std::uint64_t next_check = 0;    ///< go_on: the number at which to decide again; else n
    std::uint64_t predicted = 0;     ///< replications that the targets are expected to need
    std::size_t most_demanding = 0;  ///< index of the target that needs most; the first of equals
};

/// The first checkpoint (of 0) is limits.min, or 1 where that is 0; each further one is
/// ceil(1.2 · the last); none is beyond limits.max. REQUIRES: checkpoint is 0 or a checkpoint.
std::uint64_t next_checkpoint(std::uint64_t checkpoint, const ReplicationLimits& limits);

/// Observations of one metric by replication index; `ratio` metrics carry denominators, quantiles
/// of all jobs the sketches of the replications.
struct TargetObservations {
    PrecisionTarget target;
    std::span<const double> values;
    std::span<const double> denominators;                 ///< empty: an ordinary mean
    std::span<const SketchBuckets* const> sketches = {};  ///< not empty: the values do not count
    double probability = 0;                               ///< of the quantile
};

/// Walks the checkpoints within the first `replications` observations and stops at the first one
/// at which all targets are met (met), or at limits.max (cap_reached): a pure function of the
/// prefix up to the checkpoint. Where the walk ends undecided the state is go_on, n is the last
/// checkpoint looked at and 0 before the first. The prediction at n is the largest over the targets
/// of n · (longer side / allowed side)², 2 n where the interval of a quantile has no upper end,
/// 2^53 where it is infinite, limits.min before the first checkpoint. An estimate that is absent or
/// NaN meets no target, nor does one without variance a relative one: of a rare event that was not
/// seen nothing is known to a share of itself. Without targets the rule is a fixed number: met at
/// limits.max. A log's target for which with_all_draws() is too long ends the walk at that
/// checkpoint (out_of_reach). Costs about 6 · n additions per target, of a quantile one for each of
/// its buckets. REQUIRES: every target has a relative or an absolute precision >= 0 and
/// observations for all replications; denominators and sketches, where there are any, for all
/// replications.
StopDecision decide(
    std::span<const TargetObservations> targets,
    std::uint64_t replications,
    const ReplicationLimits& limits
);

}  // namespace schedfarm::engine
