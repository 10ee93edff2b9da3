// What is known of a cell before anything runs: its observations, its exact maximal utilization and
// its closed forms. The maximal utilization is computed once for cells that differ in nothing else.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/simulation/measurement/observations.hpp"
#include "engine/simulation/measurement/sketches.hpp"
#include "engine/simulation/workload_model.hpp"

#include "app/campaign/checks/cell_settings.hpp"

namespace schedfarm::app {

class Theory {
  public:
    /// Absent where it is not exactly known or not all of workload, system and policy are right.
    std::optional<engine::KnownValue> maximal_utilization(const CellSettings& cell);

  private:
    std::map<std::string, std::optional<engine::KnownValue>> known_;
};

/// What is true of the cell's jobs; the model is built to know. REQUIRES: workload, system and
/// experiment are there.
engine::WorkloadTraits workload_traits(const CellSettings& cell);

/// The search with its threshold as a time. REQUIRES: as workload_traits; a threshold other than 0
/// only where the model knows the mean service time.
LoadSearch in_time_units(const LoadSearch& search, const CellSettings& cell);

/// None in an open experiment whose load is still to be found. REQUIRES: workload, system, policy
/// and experiment are there.
std::vector<engine::KnownValue> known_values(const CellSettings& cell);

/// The columns of the cell's observations. REQUIRES: workload, system, policy, experiment and
/// probes are there.
std::vector<engine::ObservationColumn> observed_columns(const CellSettings& cell);

/// The sketches of the cell's observations. REQUIRES: as observed_columns().
std::vector<engine::SketchDescription> observed_sketches(const CellSettings& cell);

/// Whether a probe reports by job class. REQUIRES: probes are there.
bool observes_classes(const CellSettings& cell);

/// The column that a campaign means: its name, or the name of a probe for its mean.
std::optional<std::string> resolve_metric(
    const std::string& name, const std::vector<engine::ObservationColumn>& columns
);

}  // namespace schedfarm::app
