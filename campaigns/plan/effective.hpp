// The effective configuration: the campaign with its includes merged, defaults filled in and values
// in canonical form. Read as a campaign it gives the same cells.
#pragma once

#include <string>

#include "campaigns/config/catalogues.hpp"
#include "campaigns/config/node.hpp"
#include "campaigns/plan/grid.hpp"
#include "campaigns/plan/header.hpp"

namespace schedfarm::campaigns {

/// REQUIRES: a campaign without problems.
std::string effective_configuration(
    const Node& campaign, const Header& header, const Grid& grid, const Catalogues& catalogues
);

}  // namespace schedfarm::campaigns
