// One replication: a workload model and a policy on a simulated machine. The general kernel serves
// every policy and every experiment in time; a specialised simulator may take its place with the
// same bits.
//
// How the experiments drive a policy, batch by batch:
//
// open, trace   Jobs arrive at their submit times; the run ends when all horizon.jobs are complete,
//               or at the first instant after whose last batch more than horizon.queue_limit jobs
//               have arrived but not started: memory is bounded by the limit and the arrivals of
//               one instant. open: further jobs arrive, uncounted, until all that are counted have
//               started (preemptive: are complete), unless the policy is first come, first served
//               (engine/simulation/kernel/run_end.hpp).
// offline       All horizon.jobs arrive in one batch at time 0, whatever their submit times.
// saturated     horizon.backlog jobs arrive in one batch at time 0. When the policy has started k
//               jobs in its reaction to a batch, the next k jobs of the workload arrive in a
//               further batch at the same instant, until a reaction starts none. A job's submit
//               time is the instant it arrived so. The run ends with the reaction that makes
//               horizon.jobs starts; further starts of that reaction are not recorded.
// Bin filling has no time and no policy: engine/planning/bin_filling.hpp.
#pragma once

#include <span>
#include <vector>

#include "engine/random/stream.hpp"
#include "engine/simulation/experiment.hpp"
#include "engine/simulation/measurement/observations.hpp"
#include "engine/simulation/measurement/probe.hpp"
#include "engine/simulation/policy.hpp"
#include "engine/simulation/system.hpp"
#include "engine/simulation/workload_model.hpp"

namespace schedfarm::engine {

class ScheduleVerifier;

struct SimulationSetup {
    SystemDescription system;
    Experiment experiment;
    ProbeSet probes;
    PolicyTraits policy_traits;
    /// What the policy publishes (PolicyDescription::observations); columns behind the probes'.
    std::vector<ObservationColumn> published = {};
    Stream outages{0, Purpose::outages, 0};  ///< of what is drawn of SystemDescription::outages

    /// Whether the finish of a job is known when it starts.
    bool starts_tell_finishes() const {
        return !policy_traits.preemptive && !system.outages.cut_jobs();
    }
};

/// Runs one replication through the general kernel. Verifiers, if any, see every action and throw
/// ScheduleError at the first that breaks an invariant; they change no number. REQUIRES: an
/// experiment in time.
Observations simulate(
    const SimulationSetup& setup,
    WorkloadModel& workload,
    Policy& policy,
    std::span<ScheduleVerifier* const> verifiers = {}
);

}  // namespace schedfarm::engine
