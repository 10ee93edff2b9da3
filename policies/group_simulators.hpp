// Simulators of several replications of a cell side by side, much faster than one by one: the same
// observations to the bit as those of each alone (the contract test side_by_side_test).
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "engine/simulation/kernel/simulator.hpp"

namespace schedfarm::policies {

/// One replication, as its simulator gets it.
struct Replica {
    const engine::SimulationSetup& setup;
    engine::WorkloadModel& workload;
};

struct GroupSimulator {
    bool (*applies)(const engine::SystemDescription&, const engine::WorkloadModel&);
    /// In the order of the replicas. REQUIRES: all of one system; it applies to each of them.
    std::vector<engine::Observations> (*simulate)(std::span<const Replica>);
};

/// That of a policy, which depends on none of its parameters; null: it has none.
const GroupSimulator* find_group_simulator(std::string_view policy);

}  // namespace schedfarm::policies
