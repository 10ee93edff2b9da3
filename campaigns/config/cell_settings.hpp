// The second step, for one cell: its tree, held against the tables. Every part that is right is
// there; what is wrong is in the problems. Parts are read independently, so that one mistake does
// not hide another.
#pragma once

#include <optional>
#include <vector>

#include "engine/foundation/parameters.hpp"
#include "engine/simulation/experiment.hpp"
#include "engine/simulation/policy.hpp"
#include "engine/simulation/probe.hpp"
#include "engine/simulation/system.hpp"
#include "engine/simulation/workload_model.hpp"

#include "campaigns/config/catalogues.hpp"
#include "campaigns/config/node.hpp"
#include "campaigns/config/problems.hpp"
#include "campaigns/config/replication_plan.hpp"

namespace schedfarm::campaigns {

/// A policy or workload model that a cell names: who it is and its parameters.
template <typename Description>
struct Named {
    const Description* description = nullptr;
    engine::Choice choice;
};

struct CellSettings {
    std::optional<engine::ExperimentKind> experiment;
    std::optional<engine::SystemDescription> system;
    std::optional<Named<engine::WorkloadModelDescription>> workload;
    std::optional<Named<engine::PolicyDescription>> policy;
    std::optional<double> utilization;
    /// Only what the experiment uses; the rest is 0.
    std::optional<engine::Horizon> horizon;
    std::optional<engine::ProbeSet> probes;
    std::vector<engine::Choice> probe_choices;  ///< parallel to the requests of `probes`
    std::optional<ReplicationPlan> replications;
    std::optional<bool> allow_unstable;

    bool first_come_first_served() const {
        return policy
               && policy->description->traits(policy->choice.parameters).first_come_first_served;
    }
};

/// What is measured where `probes` is not given and jobs have response times.
std::vector<engine::Choice> default_probes();

/// Reads a cell's tree, which holds the variable keys only. Pure but for the problems.
CellSettings read_cell(const Node& tree, const Catalogues& catalogues, Problems& problems);

}  // namespace schedfarm::campaigns
