// The effective configuration: the campaign with its includes merged, defaults filled in and values
// in canonical form. Read as a campaign it gives the same cells, or is refused where a log has been
// replaced since.
#pragma once

#include <string>

#include "campaigns/config/catalogues.hpp"
#include "campaigns/plan/grid.hpp"
#include "campaigns/plan/header.hpp"
#include "campaigns/plan/pins.hpp"

namespace schedfarm::campaigns {

/// REQUIRES: a campaign without problems.
std::string effective_configuration(
    const PinnedCampaign& campaign,
    const Header& header,
    const Grid& grid,
    const Catalogues& catalogues
);

}  // namespace schedfarm::campaigns
