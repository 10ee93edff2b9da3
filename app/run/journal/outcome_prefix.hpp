// The outcomes of a cell's replications at one horizon, by their numbers there, which count from 0:
// what is dispatched, what has come in, and how far both go without a gap. Not a function of the
// order in which outcomes came in.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/simulation/observations.hpp"

namespace schedfarm::app {

/// One replication's outcome: observations, or the reason why there are none.
struct ReplicationOutcome {
    std::optional<engine::Observations> observations;
    std::string failure;  ///< message; empty when observed
    std::string failure_status;
    double seconds = 0;
    std::uint32_t rank = 0;
    double began_s = 0;      ///< seconds since 1970; 0: not known
    double run_began_s = 0;  ///< the same of the run that computed it
};

class OutcomePrefix {
  public:
    bool is_dispatched(std::uint64_t number) const;
    void mark_dispatched(std::uint64_t number);
    /// The first that is not dispatched.
    std::uint64_t next_dispatch() const { return next_dispatch_; }
    /// How many below a limit are not dispatched. Cost: O(1) where nothing lies beyond the limit.
    std::uint64_t not_dispatched(std::uint64_t limit) const;
    std::uint64_t in_flight() const { return dispatched_count_ - computed_; }

    /// A later outcome for the same replication replaces an earlier one.
    void accept(std::uint64_t number, ReplicationOutcome outcome);

    /// Absent where nothing has come in.
    const std::vector<std::optional<ReplicationOutcome>>& outcomes() const { return outcomes_; }
    std::uint64_t computed() const { return computed_; }
    std::uint64_t failed() const { return failed_; }
    /// 0 … prefix() − 1 are observed.
    std::uint64_t prefix() const { return prefix_; }
    /// The failed replication behind the prefix, if it ends there.
    std::optional<std::uint64_t> hole() const { return hole_; }
    /// The first of the prefix whose queue passed its limit.
    std::optional<std::uint64_t> overflow() const { return overflow_; }
    double seconds() const { return seconds_; }

  private:
    void advance_prefix();

    std::vector<std::optional<ReplicationOutcome>> outcomes_;
    std::vector<bool> dispatched_;
    std::uint64_t dispatched_count_ = 0;
    std::uint64_t next_dispatch_ = 0;
    std::uint64_t computed_ = 0;
    std::uint64_t failed_ = 0;
    std::uint64_t prefix_ = 0;
    std::optional<std::uint64_t> hole_;
    std::optional<std::uint64_t> overflow_;
    double seconds_ = 0;
};

}  // namespace schedfarm::app
