// The specialised simulators: second implementations of whole experiments for one policy that give
// the same bits as the general kernel. Each gives nothing where it does not apply
// (engine/simulation/policy.hpp).
#pragma once

#include <optional>

#include "engine/planning/placement.hpp"
#include "engine/planning/queue_policy.hpp"
#include "engine/simulation/kernel/simulator.hpp"

#include "policies/backfilling/easy.hpp"

namespace schedfarm::policies {

/// Every experiment under first come, first served; all request structures.
std::optional<engine::Observations> simulate_fcfs(
    engine::PlacementRule rule,
    const engine::SimulationSetup& setup,
    engine::WorkloadModel& workload
);

/// The same for total requests, several replications side by side.
engine::GroupSimulator fcfs_group_simulator();

/// Every experiment under Fit Processors First Served; total requests.
std::optional<engine::Observations> simulate_fpfs(
    const engine::QueueSettings& settings,
    const engine::SimulationSetup& setup,
    engine::WorkloadModel& workload
);

/// Open and trace experiments under textbook EASY: every option as it is by default; total
/// requests.
std::optional<engine::Observations> simulate_easy(
    const EasySettings& settings,
    const engine::SimulationSetup& setup,
    engine::WorkloadModel& workload
);

}  // namespace schedfarm::policies
