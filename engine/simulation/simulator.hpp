// One replication: a workload model and a policy on a simulated machine. The general kernel serves
// every policy and experiment; a fast way may take its place with the same bits.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/simulation/experiment.hpp"
#include "engine/simulation/observations.hpp"
#include "engine/simulation/policy.hpp"
#include "engine/simulation/probe.hpp"
#include "engine/simulation/system.hpp"
#include "engine/simulation/workload_model.hpp"

namespace schedfarm::engine {

class ScheduleVerifier;

struct SimulationSetup {
    SystemDescription system;
    Experiment experiment;
    ProbeSet probes;
    PolicyTraits policy_traits;
};

/// Runs one replication through the general kernel. Verifiers, if any, see every action and throw
/// ScheduleError at the first that breaks an invariant; they change no number.
Observations simulate(
    const SimulationSetup& setup,
    WorkloadModel& workload,
    Policy& policy,
    std::span<ScheduleVerifier* const> verifiers = {}
);

}  // namespace schedfarm::engine
