// The end of a replication with arrivals; one rule for the general kernel and the specialised
// simulators.
//
// Horizon::jobs jobs are counted: those with the numbers 0 … jobs − 1. If no more came, the last of
// them would meet a machine that empties. Where later jobs may overtake, that is another system:
// under longest job first, the short jobs at the end would no longer be kept waiting. So in an open
// experiment jobs keep arriving until every counted job has left. They are simulated as the others
// and are in no observation. A log's jobs and those of off-line experiments are all there are;
// under first come, first served no later job matters, and none comes.
//
// A policy may pass over a job for ever while the others do not queue up. So a replication also
// ends early, as one whose queue has passed its limit, when more than most_uncounted() jobs have
// come.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "engine/simulation/experiment.hpp"

namespace schedfarm::engine {

/// The uncounted jobs that no open replication passes: as many as are counted, 100,000 at least.
constexpr std::uint64_t most_uncounted(const Horizon& horizon) {
    constexpr std::uint64_t least = 100'000;
    return std::max(horizon.jobs, least);
}

/// Whether a policy lets a job start before an earlier one.
enum class Overtaking : std::uint8_t { none, possible };

class RunEnd {
  public:
    RunEnd(const Experiment& experiment, Overtaking overtaking)
        : counted_(experiment.horizon.jobs), most_waiting_(most_waiting(experiment.horizon)) {
        if (experiment.kind.is_open() && overtaking == Overtaking::possible) {
            goes_on_ = true;
            most_submitted_ = counted_ + most_uncounted(experiment.horizon);
        }
    }

    /// Whether a job must come after so many: one that is counted.
    bool needs_more(std::uint64_t submitted) const { return submitted < counted_; }
    /// Whether a job comes after so many, if the workload has one and a counted job is left.
    bool admits_more(std::uint64_t submitted) const { return goes_on_ || needs_more(submitted); }
    /// Whether the replication ends early. REQUIRES: time is about to move on, and a counted job
    /// has yet to be recorded.
    bool is_too_much(std::uint64_t submitted, std::uint64_t waiting) const {
        return waiting > most_waiting_ || submitted > most_submitted_;
    }

  private:
    std::uint64_t counted_;
    std::uint64_t most_waiting_;
    std::uint64_t most_submitted_ = std::numeric_limits<std::uint64_t>::max();
    bool goes_on_ = false;
};

}  // namespace schedfarm::engine
