// The second step, for one cell: its tree, held against the tables. Every part that is right is
// there; what is wrong is in the problems. Parts are read independently, so that one mistake does
// not hide another.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/foundation/parameters.hpp"
#include "engine/simulation/experiment.hpp"
#include "engine/simulation/measurement/probe.hpp"
#include "engine/simulation/policy.hpp"
#include "engine/simulation/system.hpp"
#include "engine/simulation/workload_model.hpp"
#include "engine/statistics/selection/selection.hpp"

#include "app/campaign/checks/known_parts.hpp"
#include "app/campaign/checks/unserved_jobs.hpp"
#include "app/campaign/keys/analyses/certificate_reader.hpp"
#include "app/campaign/keys/catalogues.hpp"
#include "app/campaign/keys/sections/horizon_reader.hpp"
#include "app/campaign/keys/sections/load_reader.hpp"
#include "app/campaign/keys/sections/replication_plan.hpp"
#include "app/campaign/yaml/node.hpp"
#include "app/campaign/yaml/problems.hpp"

namespace schedfarm::app {

/// A policy or workload model that a cell names: who it is and its parameters.
template <typename Description>
struct Named {
    const Description* description = nullptr;
    engine::Choice choice;
};

enum class StreamSharing : std::uint8_t {
    common,       ///< the campaign's seed
    independent,  ///< a seed of the cell's own
};

struct RandomSettings {
    engine::Generator generator = engine::Generator::philox;
    StreamSharing streams = StreamSharing::common;
};

using NamedWorkload = Named<engine::WorkloadModelDescription>;
using NamedPolicy = Named<engine::PolicyDescription>;

struct CellProbes {
    engine::ProbeSet set;
    std::vector<engine::Choice> choices;  ///< parallel to the requests of `set`
};

struct CellSettings {
    std::optional<engine::ExperimentKind> experiment;
    std::shared_ptr<const engine::SystemDescription> system;
    std::shared_ptr<const NamedWorkload> workload;
    UnservedJobs unserved;  ///< that the workload leaves out
    std::shared_ptr<const NamedPolicy> policy;
    /// Those of a workload of which nothing is known, where there is none.
    engine::WorkloadFacts workload_facts() const;
    // The load of an open experiment, one of the three; none where jobs come when a list says.
    std::optional<double> utilization;
    std::optional<LoadSearch> load_search;      ///< threshold in mean service times
    std::optional<double> saturation_fraction;  ///< of what a pilot estimates
    std::shared_ptr<const HorizonSettings> horizon;
    std::shared_ptr<const RandomSettings> random;
    std::shared_ptr<const PilotSettings> pilot;
    std::shared_ptr<const CellProbes> probes;
    std::shared_ptr<const ReplicationPlan> replications;
    std::optional<bool> allow_unstable;
    std::shared_ptr<const std::vector<Certificate>> certificates;

    bool is_open() const { return experiment && experiment->is_open(); }
    /// Whether jobs come as often as a load says.
    bool takes_load() const;

    /// Whether everything is there that a cell needs.
    bool is_complete() const;

    bool first_come_first_served() const {
        return policy
               && policy->description->traits(policy->choice.parameters).first_come_first_served;
    }
};

/// What is measured where `probes` is not given and jobs have response times.
std::vector<engine::Choice> default_probes();

/// A workload without the jobs that its policy could never start.
struct ServedWorkload {
    std::shared_ptr<const NamedWorkload> workload;
    UnservedJobs unserved;
};

/// What was read of the cells before.
struct KnownCellParts {
    KnownParts<engine::SystemDescription> systems;
    KnownParts<NamedWorkload> workloads;
    KnownParts<ServedWorkload> served_workloads;
    KnownParts<NamedPolicy> policies;
    KnownParts<LoadSettings> loads;
    KnownParts<HorizonSettings> horizons;
    KnownParts<RandomSettings> random;
    KnownParts<PilotSettings> pilots;
    KnownParts<CellProbes> probes;
    KnownParts<ReplicationPlan> replications;
    KnownParts<std::vector<Certificate>> certificates;
};

/// Reads a cell's tree, which holds the variable keys only. A selection says how many replications
/// there are, in place of the cell. The problems of parts that are known have been told.
CellSettings read_cell(
    const Node& tree,
    const Catalogues& catalogues,
    KnownCellParts& known,
    Problems& problems,
    const engine::SelectionSettings* selection = nullptr
);

}  // namespace schedfarm::app
