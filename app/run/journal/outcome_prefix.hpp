// The outcomes of a cell's replications at one horizon, by their numbers there, which count from 0:
// what is dispatched, what has come in, and how far both go without a gap. Not a function of the
// order in which outcomes came in. A replication costs 49 bytes and 8 for each value, and what its
// series and sketches take.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/simulation/measurement/observations.hpp"
#include "engine/statistics/agreement.hpp"

namespace schedfarm::app {

/// When and where a replication ran.
struct ReplicationTiming {
    double seconds = 0;
    std::uint32_t rank = 0;
    double began_s = 0;      ///< seconds since 1970; 0: not known
    double run_began_s = 0;  ///< the same of the run that computed it
};

/// Why a replication has no observations.
struct ReplicationFailure {
    std::string message;
    std::string status;
};

/// One replication's outcome, as it comes in: observations, or the reason why there are none.
struct ReplicationOutcome : ReplicationTiming {
    std::optional<engine::Observations> observations;
    std::string failure;  ///< message; empty when observed
    std::string failure_status;
    /// Waits beside those that the workload's log records, by groups of its jobs; mostly none.
    std::vector<engine::GroupAgreement> logged_waits = {};
    /// With which version of what the user's own code ran; mostly none.
    std::vector<std::string> versions = {};
};

/// The observations of a replication where they are kept; valid until the next outcome comes in.
struct ObservedReplication {
    std::span<const double> values;
    std::uint64_t fingerprint = 0;
    std::uint64_t jobs = 0;
    std::uint64_t events = 0;
    std::optional<engine::QueueOverflow> overflow;
    std::span<const double> series;
    std::span<const engine::SketchBuckets> sketches;
    std::span<const engine::GroupAgreement> logged_waits;
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

    /// A later outcome for the same replication replaces an earlier one. REQUIRES: all observations
    /// have the same numbers of values and of sketches, but for those that ended early.
    void accept(std::uint64_t number, ReplicationOutcome outcome);

    /// All numbers with an outcome are below.
    std::uint64_t size() const { return records_.size(); }
    bool has_outcome(std::uint64_t number) const;
    /// REQUIRES: there is an outcome.
    ReplicationTiming timing(std::uint64_t number) const;
    /// Null where the replication is observed. REQUIRES: there is an outcome.
    const ReplicationFailure* failure(std::uint64_t number) const;
    /// REQUIRES: the replication is observed.
    ObservedReplication observed(std::uint64_t number) const;

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
    enum class State : std::uint32_t { missing, failed, observed };

    struct Record {
        std::uint64_t fingerprint = 0;
        std::uint64_t jobs = 0;
        std::uint64_t events = 0;
        double seconds = 0;
        double began_s = 0;
        std::uint32_t rank = 0;
        std::uint32_t run : 30 = 0;  ///< position in runs_began_s_
        State state : 2 = State::missing;
    };

    /// What few replications have.
    struct Extras {
        std::map<std::uint64_t, ReplicationFailure> failures;
        std::map<std::uint64_t, engine::QueueOverflow> overflows;
        std::vector<std::vector<double>> series;  ///< of the first
        std::map<std::uint64_t, std::vector<engine::SketchBuckets>> sketches;
        std::map<std::uint64_t, std::vector<engine::GroupAgreement>> logged_waits;

        void forget(std::uint64_t number);
    };

    void advance_prefix();
    void keep(std::uint64_t number, engine::Observations& observations);
    std::uint32_t run_number(double run_began_s);
    Extras& extras();

    std::vector<Record> records_;
    std::vector<double> values_;  // as many of each replication
    std::size_t values_each_ = 0;
    std::vector<double> runs_began_s_;
    std::unique_ptr<Extras> extras_;
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
