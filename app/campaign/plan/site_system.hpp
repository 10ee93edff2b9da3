// A machine as its site's own files describe it: `system.slurm` in the place of `system.clusters`.
#pragma once

#include "policies/slurm/site/site.hpp"

#include "app/campaign/yaml/node.hpp"
#include "app/campaign/yaml/problems.hpp"

namespace schedfarm::app {

/// Puts into a cell that has `system.slurm` the processors of the nodes as `system.clusters`, and
/// the files into a policy `slurm` that names none. What is wrong is a problem with file and line.
void add_site(Node& cell, Problems& problems);

/// What the files of a cell with `system.slurm` say. REQUIRES: it has been added.
policies::slurm::Site site_of(const Node& cell, Problems& problems);

}  // namespace schedfarm::app
