// Sequential stopping on the ordered prefix: a pure function of the observations by replication
// index and the target. Checked at min and then at n growing by 1.2, never in between, so that the
// stopping index does not depend on how many replications happen to be finished.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/statistics/estimate.hpp"

namespace schedfarm::engine {

struct PrecisionTarget {
    std::optional<double> relative;  ///< ε: stop when the longer side <= ε / (1 + ε) · |mean|
    std::optional<double> absolute;  ///< or when the longer side <= this, in the metric's unit
    double confidence = 0.95;
    IntervalMethod method = IntervalMethod::skew_adjusted;
};

struct ReplicationLimits {
    std::uint64_t min = 64;
    std::uint64_t max = 100000;
};

enum class StopState : std::uint8_t { go_on, met, cap_reached };

struct StopDecision {
    StopState state = StopState::go_on;
    std::uint64_t n = 0;             ///< replications that the decision rests on
    std::uint64_t next_check = 0;    ///< go_on: the number at which to decide again
    std::uint64_t predicted = 0;     ///< replications that the target is expected to need
    std::size_t most_demanding = 0;  ///< index of the target that needs most
};

/// The first checkpoint is limits.min; each further one is ceil(1.2 · the last), at most
/// limits.max.
std::uint64_t next_checkpoint(std::uint64_t checkpoint, const ReplicationLimits& limits);

/// Observations of one metric by replication index; `ratio` metrics carry denominators.
struct TargetObservations {
    PrecisionTarget target;
    std::span<const double> values;
    std::span<const double> denominators;  ///< empty: an ordinary mean
};

/// Decides on the longest prefix that is a checkpoint. All targets see the same number of
/// replications. Without targets the rule is a fixed number: stop at limits.max.
StopDecision decide(
    std::span<const TargetObservations> targets,
    std::uint64_t replications,
    const ReplicationLimits& limits
);

}  // namespace schedfarm::engine
