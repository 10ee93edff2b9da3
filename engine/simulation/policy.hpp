// The interface to scheduling policies. The simulator owns time, remaining work and the order of
// events; a policy is told what happened at one instant, all of it at once, and acts on the
// machine.
//
// A policy object serves one replication, is complete after construction, keeps no global state and
// is deterministic: given the same batches it takes the same actions.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/foundation/parameters.hpp"
#include "engine/random/stream.hpp"
#include "engine/simulation/job.hpp"
#include "engine/simulation/measurement/observations.hpp"
#include "engine/simulation/system.hpp"

namespace schedfarm::engine {

class Actions;           // engine/simulation/kernel/actions.hpp
class ScheduleVerifier;  // engine/simulation/verifiers/schedule_verifier.hpp
class WorkloadModel;     // engine/simulation/workload_model.hpp
struct SimulationSetup;  // engine/simulation/kernel/simulator.hpp
struct WorkloadTraits;   // engine/simulation/workload_model.hpp

/// A policy's own alarm; `tag` is the policy's to choose and comes back when the alarm goes off.
struct Timer {
    std::uint64_t tag = 0;
    /// Of a policy within another: which one (policies/composition/part.hpp); else 0.
    std::uint64_t owner = 0;
    friend bool operator==(Timer, Timer) = default;
};

/// Everything that happens at one instant. Each list is in (time, kind, sequence) order, arrivals
/// in submit order; the policy decides in which order it takes the lists (the papers differ). What
/// its own actions bring about at the same instant (a job without service, a timer for now) comes
/// in a further batch.
struct EventBatch {
    std::span<const JobId> completions;
    std::span<const JobId> arrivals;
    std::span<const JobId> loads_finished;  ///< jobs whose loading phase has ended
    std::span<const Timer> timers;
    /// Processors that leave or come back. A job that is cut then is among the completions, and as
    /// a new one among the arrivals.
    std::span<const CapacityChange> capacity_changes = {};
    /// Waiting jobs that the policy around this one takes back, taken ahead of all other lists:
    /// they are as if they had never come. One may be among the arrivals, too, and comes as a new
    /// job. Or waiting jobs that leave, as in a log they were cancelled, and come no more. Only for
    /// policies whose traits say `takes_withdrawals`.
    std::span<const JobId> withdrawals = {};
    /// Arrivals that a policy around this one chose it for: a calendar moves them ahead before its
    /// own jobs.
    std::span<const JobId> promoted = {};
};

/// What a policy plans, as it was at one instant.
class StartOutlook {
  public:
    StartOutlook() = default;
    StartOutlook(const StartOutlook&) = delete;
    StartOutlook& operator=(const StartOutlook&) = delete;
    virtual ~StartOutlook() = default;

    /// When the job would start if it were handed to the policy at `from`; an advance reservation:
    /// when it would be granted to start, or, if it would be refused, the earliest possible time
    /// after its own.
    virtual double earliest_start(const Job& job, double from) = 0;
};

class Policy {
  public:
    Policy() = default;
    Policy(const Policy&) = delete;
    Policy& operator=(const Policy&) = delete;
    virtual ~Policy() = default;

    /// Reacts to the events of the instant `actions.now()`. A completed job's processors are
    /// already free; its id is valid until this call returns.
    virtual void react(const EventBatch& events, Actions& actions) = 0;

    // Questions without side effects, for policies whose traits say `answers_earliest_start`.
    // REQUIRES: the policy has reacted to what has happened by `now`, which is the time.
    /// That of an outlook made now.
    virtual double earliest_start(const Job& job, double from, double now);
    virtual std::unique_ptr<StartOutlook> outlook(double now);
};

/// What a policy may depend on beside its own parameters.
struct PolicyContext {  // NOLINT(cppcoreguidelines-pro-type-member-init): Stream has no default
    SystemDescription system;
    Stream random;                  ///< Purpose::policy
    bool has_fixed_starts = false;  ///< the workload has advance reservations
    /// What is taken by count gets names within a part, so parts in it name theirs too.
    bool names_counted = false;
    double clock = 0;  ///< WorkloadTraits::clock
};

/// What the rest of the program must know of a policy.
struct PolicyTraits {
    bool preemptive = false;  ///< may suspend or delay a started job, or load before a start
    bool first_come_first_served = false;  ///< never starts a job before an earlier one
    bool keeps_fixed_starts = false;  ///< starts advance reservations at their time or refuses them
    bool draws = false;               ///< chooses at random: replications on the same jobs differ
    bool names_processors = false;    ///< takes processors by name, Actions::start_on
    bool takes_withdrawals = false;   ///< gives waiting jobs back, EventBatch::withdrawals
    /// Holds back tasks of an array over the number that may run at once; others get them when the
    /// log let them go.
    bool throttles_arrays = false;
    /// Policy::earliest_start, outlook; where PolicyContext::has_fixed_starts.
    bool answers_earliest_start = false;
};

/// A much faster simulator for one policy alone. It gives the same observations as the general
/// kernel, to the bit (the contract test specialised_simulators_test compares them over random
/// workloads), or nothing where it does not apply; then no job has been drawn.
using SpecialisedSimulator =
    std::optional<Observations>(const Parameters&, const SimulationSetup&, WorkloadModel&);

/// One replication, as its simulator gets it.
struct Replica {
    const SimulationSetup& setup;
    WorkloadModel& workload;
};

/// Simulates several replications of a cell side by side, much faster than one by one: the same
/// observations to the bit as those of each alone (the contract test side_by_side_test), whatever
/// the policy's parameters.
struct GroupSimulator {
    bool (*applies)(const SystemDescription&, const WorkloadModel&);
    /// In the order of the replicas. REQUIRES: all of one system; it applies to each of them.
    std::vector<Observations> (*simulate)(std::span<const Replica>);
};

/// What speaks against a policy for the jobs that may come: one larger than every partition. That
/// they fit on the system is the workload's own to check.
using ParameterProblems = std::vector<ParameterProblem>;
using WorkloadCheck =
    ParameterProblems(const Parameters&, const SystemDescription&, const WorkloadTraits&);

/// Tells why a job could never start, "job 17 asks for …" by its index; absent: it may.
using JobCheck = std::function<std::optional<std::string>(const Job&)>;

struct PolicyDescription {
    Alternative alternative;  ///< name, summary, parameters, check, source
    std::function<PolicyTraits(const Parameters&)> traits = [](const Parameters&) {
        return PolicyTraits{};
    };
    std::function<std::unique_ptr<Policy>(const Parameters&, const PolicyContext&)> make;
    /// Takes the place of the general kernel where it applies; null: there is none.
    std::function<SpecialisedSimulator> specialised_simulator;
    std::optional<GroupSimulator> group_simulator = std::nullopt;  ///< absent: there is none
    /// Checks the policy's own invariants on a schedule; null: only those of the machine.
    std::function<std::unique_ptr<ScheduleVerifier>(const Parameters&, const PolicyContext&)>
        make_verifier;
    /// Problems that only show against the system; null: none.
    std::function<std::vector<ParameterProblem>(const Parameters&, const SystemDescription&)>
        check_system = nullptr;
    /// Problems that only show against the jobs that may come; null: none.
    std::function<WorkloadCheck> check_workload = nullptr;
    /// For jobs of logs, which are left out where they could never start; null: all start that fit
    /// on the system. REQUIRES: parameters without a problem.
    std::function<JobCheck(const Parameters&, const SystemDescription&)> job_check = nullptr;
    /// What the policy publishes on this system (a column for each cluster, say), as columns behind
    /// those of the probes; null: nothing.
    std::function<std::vector<ObservationColumn>(const Parameters&, const SystemDescription&)>
        observations = nullptr;
};

}  // namespace schedfarm::engine
