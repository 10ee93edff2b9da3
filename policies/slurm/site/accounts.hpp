// Associations and QOS as sacctmgr -P shows them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "policies/slurm/site/site.hpp"

namespace schedfarm::policies::slurm {

struct SitePlace {
    std::string file;
    std::size_t line = 0;
};

/// Notes a problem: what would change schedules and is not modelled, unless its word is accepted.
void refuse(
    const SiteFiles& files,
    const SitePlace& place,
    std::string_view what,
    std::string_view word,
    Site& site
);

/// Takes the tables into the settings; a parent comes ahead of its children.
void read_accounts(const SiteFiles& files, Site& site);

}  // namespace schedfarm::policies::slurm
