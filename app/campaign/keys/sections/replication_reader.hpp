// Reads `replications` and `precision` of a cell.
#pragma once

#include <optional>
#include <string>

#include "app/campaign/keys/sections/replication_plan.hpp"
#include "app/campaign/yaml/node.hpp"
#include "app/campaign/yaml/problems.hpp"

namespace schedfarm::app {

/// A way to compute intervals as campaigns name it.
std::string interval_name(engine::IntervalMethod method);
/// REQUIRES: a name that interval_name() gives.
engine::IntervalMethod interval_called(const std::string& name);

/// Exactly one of the two keys must be there. Metrics are as written.
std::optional<ReplicationPlan> read_replications(const Node& cell, Problems& problems);

/// Whether the cell's `precision` or `replications` has `method: auto`.
bool asks_for_twins(const Node& cell);

}  // namespace schedfarm::app
