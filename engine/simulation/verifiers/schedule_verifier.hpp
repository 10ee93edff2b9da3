// Checks a schedule while it is made. The machine's own invariants hold for every policy (no
// processor twice, no start before submission, service received = service required, memory never
// exceeded, placement as requested); a policy registers a verifier of its own invariants in its own
// file.
#pragma once

#include <memory>
#include <span>
#include <stdexcept>

#include "engine/simulation/job.hpp"
#include "engine/simulation/kernel/actions.hpp"
#include "engine/simulation/kernel/machine.hpp"

namespace schedfarm::engine {

/// A schedule broke an invariant; the text names the job, the instant and the invariant.
class ScheduleError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// One action of the policy or one event, as the simulator carried it out.
struct ScheduleStep {
    enum class Kind : std::uint8_t {
        arrival,
        start,
        suspend,
        resume,
        delay,
        load,
        load_cut,
        load_finished,
        completion,
        resident_memory,   ///< `amount` on each of `processors`
        capacity_changed,  ///< `change`; no job
        timer,             ///< `timer` of a policy within another went off; no job
        promise,           ///< `promise`: a reservation was made, moved or taken back
        bind,              ///< to `processors`; `timer` says by which policy
        slice,       ///< announced: on `processors` until `amount`, `timer` says whose; no job
        withdrawal,  ///< the job leaves, or is taken back: `timer` says to which inner policy
        message,     ///< `message` arrived, `timer` says whose it is; no job
    };
    Kind kind = Kind::arrival;
    double time = 0;
    JobId id;
    const Job* job = nullptr;                    ///< valid while the job is in the system
    std::span<const ClusterShare> shares;        ///< start, resume by count
    std::span<const ProcessorRange> processors;  ///< start, resume, load by name; slice
    double amount = 0;                           ///< delay, load: duration; memory; slice: end
    const CapacityChange* change = nullptr;
    bool is_cut = false;  ///< completion: by an outage; an arrival of the same job follows
    Timer timer;
    Promise promise;
    const Message* message = nullptr;
};

class ScheduleVerifier {
  public:
    ScheduleVerifier() = default;
    ScheduleVerifier(const ScheduleVerifier&) = delete;
    ScheduleVerifier& operator=(const ScheduleVerifier&) = delete;
    virtual ~ScheduleVerifier() = default;

    /// Called in the order in which things happened.
    virtual void observe(const ScheduleStep& step) = 0;
    /// Called after each batch, when the policy has had its say.
    virtual void end_of_instant(double time) = 0;
    /// Called once, after the last event, unless the run ends with jobs in the system (saturated,
    /// or more jobs waiting than the horizon's limit).
    virtual void finish() = 0;
};

/// The invariants of the machine, kept independently of the simulator's own bookkeeping.
std::unique_ptr<ScheduleVerifier> make_machine_verifier(const SystemDescription& system);

}  // namespace schedfarm::engine
