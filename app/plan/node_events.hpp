// Outages as Slurm's accounting has them: what `sacctmgr show events -P` prints of nodes. A row is
// `Cluster|NodeName|TimeStart|TimeEnd|State|Reason|User`, in any order of columns; its reason may
// hold a `|`. Rows of the whole cluster and of a cold start (UNK) are no outages.
#pragma once

#include <string>

#include "engine/simulation/system.hpp"

#include "app/config/yaml/node.hpp"
#include "app/config/yaml/problems.hpp"

namespace schedfarm::app {

bool is_node_events(const std::string& content);

/// Adds the outages of `file` to those of a system of equal nodes, which `system.outages.nodes` of
/// the cell names; times are counted from its `begin`. What is wrong is a problem with the line.
void add_node_events(
    const Node& cell,
    const std::string& file,
    const std::string& content,
    engine::SystemDescription& system,
    Problems& problems
);

}  // namespace schedfarm::app
