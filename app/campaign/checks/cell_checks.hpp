// The second step, for what only shows when the parts of a cell are seen together. A problem points
// at the value that causes it and is told once, for the first cell that has it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/simulation/measurement/observations.hpp"
#include "engine/simulation/measurement/sketches.hpp"

#include "app/campaign/checks/cell_settings.hpp"
#include "app/campaign/checks/theory.hpp"
#include "app/campaign/yaml/node.hpp"
#include "app/campaign/yaml/problems.hpp"

namespace schedfarm::app {

/// A cell under check.
struct CheckedCell {
    const CellSettings& settings;
    const Node& tree;
    std::string where;  ///< " in cell 3", or nothing where there is only one
    /// Section that compares cells over several replications; empty: none.
    std::string analysis{};
};

/// The column that a metric means; a problem at this position where the cell does not observe it.
std::optional<std::string> resolve_observed(
    const std::string& metric,
    const std::vector<engine::ObservationColumn>& columns,
    const std::string& where,
    const ConfigProblem& place,
    Problems& problems
);

/// The model serves the experiment, jobs fit the system, the load is below the maximal utilization
/// or can be looked for; several replications are independent samples.
void check_parts(const CheckedCell& cell, Theory& theory, Problems& problems);

/// Replaces the metrics of the cell's targets by the columns they mean; a problem where one, or
/// what a search for a load looks at, is not observed, and where a quantile is wanted more
/// precisely than its sketch knows it.
void resolve_targets(
    const CheckedCell& cell,
    const std::vector<engine::ObservationColumn>& columns,
    const std::vector<engine::SketchDescription>& sketches,
    ReplicationPlan& plan,
    Problems& problems
);

}  // namespace schedfarm::app
