// Associations and QOS as sacctmgr -P shows them.
#pragma once

#include "policies/slurm/site/reader.hpp"

namespace schedfarm::policies::slurm {

/// Takes the tables into the settings; a parent comes ahead of its children. `cluster`: whose rows
/// count where the table has several clusters; empty: not known.
void read_accounts(
    const SiteFiles& files, const std::string& cluster, WordReader& reader, Site& site
);

}  // namespace schedfarm::policies::slurm
