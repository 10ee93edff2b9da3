// The second step, for one cell: its tree, held against the tables. Every part that is right is
// there; what is wrong is in the problems. Parts are read independently, so that one mistake does
// not hide another.
#pragma once

#include <optional>
#include <vector>

#include "engine/foundation/parameters.hpp"
#include "engine/simulation/experiment.hpp"
#include "engine/simulation/measurement/probe.hpp"
#include "engine/simulation/policy.hpp"
#include "engine/simulation/system.hpp"
#include "engine/simulation/workload_model.hpp"
#include "engine/statistics/selection/selection.hpp"

#include "app/config/schema/catalogues.hpp"
#include "app/config/sections/analyses/certificate.hpp"
#include "app/config/sections/horizon_reader.hpp"
#include "app/config/sections/load_search.hpp"
#include "app/config/sections/replication_plan.hpp"
#include "app/config/yaml/node.hpp"
#include "app/config/yaml/problems.hpp"

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

struct CellSettings {
    std::optional<engine::ExperimentKind> experiment;
    std::optional<engine::SystemDescription> system;
    std::optional<Named<engine::WorkloadModelDescription>> workload;
    std::optional<Named<engine::PolicyDescription>> policy;
    // The load of an open experiment, one of the three; none where jobs come when a list says.
    std::optional<double> utilization;
    std::optional<LoadSearch> load_search;      ///< threshold in mean service times
    std::optional<double> saturation_fraction;  ///< of what a pilot estimates
    std::optional<HorizonSettings> horizon;
    std::optional<RandomSettings> random;
    std::optional<PilotSettings> pilot;
    std::optional<engine::ProbeSet> probes;
    std::vector<engine::Choice> probe_choices;  ///< parallel to the requests of `probes`
    std::optional<ReplicationPlan> replications;
    std::optional<bool> allow_unstable;
    std::vector<Certificate> certificates;  ///< metrics as written

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

/// Reads a cell's tree, which holds the variable keys only. A selection says how many replications
/// there are, in place of the cell. Pure but for the problems.
CellSettings read_cell(
    const Node& tree,
    const Catalogues& catalogues,
    Problems& problems,
    const engine::SelectionSettings* selection = nullptr
);

}  // namespace schedfarm::app
