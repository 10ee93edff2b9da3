// A log of outages: a file beside the campaign, one outage a row. Columns of CSV: from, until,
// cluster (from 0), first (processor of the cluster, from 0), count. Or the events of nodes as
// `sacctmgr show events -P` prints them.
#pragma once

#include "app/campaign/checks/cell_settings.hpp"
#include "app/campaign/yaml/node.hpp"
#include "app/campaign/yaml/problems.hpp"
#include "app/campaign/yaml/source.hpp"

namespace schedfarm::app {

/// Adds the outages of the cell's `system.outages.file`, if it has one, to those listed. Events of
/// nodes are of the nodes of `system.slurm` and on the clock of the cell's log where the cell says
/// no others. What is wrong is a problem with the file and the line. REQUIRES: it has a system.
void add_logged_outages(
    const Node& cell, const CampaignSource& source, CellSettings& settings, Problems& problems
);

}  // namespace schedfarm::app
