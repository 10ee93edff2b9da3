// Reads `replications` and `precision` of a cell.
#pragma once

#include <optional>

#include "campaigns/config/node.hpp"
#include "campaigns/config/problems.hpp"
#include "campaigns/config/replication_plan.hpp"

namespace schedfarm::campaigns {

/// Exactly one of the two keys must be there. Metrics are as written.
std::optional<ReplicationPlan> read_replications(const Node& cell, Problems& problems);

}  // namespace schedfarm::campaigns
