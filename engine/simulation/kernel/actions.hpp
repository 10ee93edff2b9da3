// What a policy can see and do at one instant. Every action is checked by the simulator: an action
// that the machine cannot carry out is a ContractViolation that names the policy's mistake.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

#include "engine/simulation/job.hpp"
#include "engine/simulation/kernel/machine.hpp"
#include "engine/simulation/kernel/switch.hpp"
#include "engine/simulation/policy.hpp"

namespace schedfarm::engine {

/// When a waiting job will start; no limits: a promise is taken back.
struct Promise {
    double earliest = -std::numeric_limits<double>::infinity();
    double latest = std::numeric_limits<double>::infinity();
};

/// The states of a job in the system.
enum class JobState : std::uint8_t { waiting, loading, running, suspended, finished };

/// A time slice of some processors: from now until `end`, at the latest, only jobs that it serves
/// run on them.
struct Slice {
    std::uint64_t whose = 0;  ///< the policy's own name for what is served: a class, a slot
    double end = 0;
    std::span<const ProcessorRange> processors;
};

/// The processors that a job may run on, and no others, until it is bound anew.
struct Binding {
    std::span<const ProcessorRange> processors;
};

/// From one part of a policy to another. The policy delivers it itself: after a delay by a timer,
/// so that it arrives in the total order of all events.
struct Message {
    std::uint32_t kind = 0;  ///< the policy's own
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::uint64_t subject = 0;  ///< what it is about
    double time = 0;            ///< that it names, if any
};

/// A number of the policy's own (trade balance, switches); summed per name, which must be among
/// PolicyDescription::observations. That of a job that is not counted
/// (engine/simulation/kernel/run_end.hpp) is none.
struct Observation {
    std::string_view name;
    double value = 0;
};

/// What a policy says of its schedule. But for observations it is a step for those who watch the
/// schedule (schedule_verifier.hpp) and changes no number.
struct Announcement {
    /// A slice is announced ahead of the starts and suspensions that it brings about; a message
    /// when it arrives; a promise when a reservation was made or moved, by which it binds the
    /// policy (engine/planning/promise_verifier.hpp); a binding while its job does not run: to the
    /// machine's own the one that came last counts.
    std::variant<Slice, Message, Promise, Binding, Observation> what;
    std::optional<JobId> job = {};  ///< of a promise, a binding, and an observation of one job
    /// Of a policy within another: which one. Its part fills it in (policies/composition/part.hpp).
    std::uint64_t owner = 0;
};

class Actions {
  public:
    Actions() = default;
    Actions(const Actions&) = delete;
    Actions& operator=(const Actions&) = delete;
    virtual ~Actions() = default;

    virtual double now() const = 0;
    virtual const Machine& machine() const = 0;
    virtual const Job& job(JobId id) const = 0;
    virtual JobState state(JobId id) const = 0;

    /// Starts a waiting job, or resumes a suspended one (elsewhere too), on processors of the given
    /// clusters that are interchangeable, at most one share per cluster; the counts must add up to
    /// the job's size. A moldable job that waits starts on as many as are given, say k; its service
    /// is then moldable->times[k − 1], and once suspended it is resumed on as many.
    virtual void start(JobId id, std::span<const ClusterShare> shares) = 0;
    /// The same on processors named one by one (ranges), for policies that care which. A job
    /// whose load is finished starts on the ranges that it was loaded on.
    virtual void start_on(JobId id, std::span<const ProcessorRange> processors) = 0;

    /// Takes a running job off its processors; its remaining service is kept. This, delay() of a
    /// started job and load() are for policies whose traits say `preemptive`.
    virtual void suspend(JobId id) = 0;
    /// Adds a cost to a job: its remaining service grows by `duration` >= 0.
    virtual void delay(JobId id, double duration) = 0;
    /// The same as suspend() of every job that leaves, then delay() and start_on() of every job
    /// that comes, for policies under which jobs take turns: a completion that the next switch
    /// mostly forestalls costs O(1) to plan. Where nothing is switched off for long, as without
    /// time slices, start_on() is cheaper. Cost: O(running jobs) per completion, O(1) per job.
    virtual void carry_out(const Switch& change) = 0;

    // Loading and resident memory are for policies that decide by the memory of nodes, as
    // Scojo-PECT does (Esbaugh 2010).

    /// The job holds the processors in the state `loading` for `duration`, then the policy is told
    /// by loads_finished; start_on() on the same processors makes it run.
    virtual void load(JobId id, std::span<const ProcessorRange> processors, double duration) = 0;
    /// Ends a loading phase early and frees the processors; returns the time spent loading.
    virtual double cut_load(JobId id) = 0;
    /// Records how much memory a job occupies on each of the processors, running or not, in place
    /// of what it occupied there; everything is released when the job completes.
    virtual void set_resident_memory(
        JobId id, std::span<const ProcessorRange> processors, double amount_per_processor
    ) = 0;

    // Of the machine's own policy alone.
    /// A waiting job that will leave later (SubmittedRequest::has_left) leaves now, in place of a
    /// start.
    virtual void leave(JobId id);
    /// The wait of a waiting job counts from `time` <= now() on: it could not have started before.
    virtual void count_wait_from(JobId id, double time);

    /// Wakes the policy at `time` >= now() with `timer`; several timers may be pending.
    virtual void set_timer(double time, Timer timer) = 0;
    /// Cancels every pending timer equal to `timer`; none pending is no mistake.
    virtual void cancel_timer(Timer timer) = 0;

    /// Cost: O(1); but for observations nothing without verifiers.
    virtual void announce(const Announcement& said) = 0;
};

}  // namespace schedfarm::engine
