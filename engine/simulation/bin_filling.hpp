// Bin filling through the general kernel, so that any policy can be put to it. The fast way of the
// co-allocation policies is tested against this.
#pragma once

#include <span>

#include "engine/simulation/observations.hpp"
#include "engine/simulation/simulator.hpp"

namespace schedfarm::engine {

/// Runs a bin-filling replication as simulator.hpp describes.
Observations simulate_bin_filling(
    const SimulationSetup& setup,
    WorkloadModel& workload,
    Policy& policy,
    std::span<ScheduleVerifier* const> verifiers
);

}  // namespace schedfarm::engine
