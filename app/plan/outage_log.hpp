// A log of outages: a file beside the campaign, one outage a row. Columns of CSV: from, until,
// cluster (from 0), first (processor of the cluster, from 0), count. Or the events of nodes as
// `sacctmgr show events -P` prints them.
#pragma once

#include "engine/simulation/system.hpp"

#include "app/config/yaml/node.hpp"
#include "app/config/yaml/problems.hpp"
#include "app/config/yaml/source.hpp"

namespace schedfarm::app {

/// Adds the outages of the cell's `system.outages.file`, if it has one, to those listed. What is
/// wrong is a problem with the file and the line.
void add_logged_outages(
    const Node& cell,
    const CampaignSource& source,
    engine::SystemDescription& system,
    Problems& problems
);

}  // namespace schedfarm::app
