// The effective configuration: the campaign with its includes merged and every default, as JSON.
// Read as a campaign it gives the same cells, or is refused where a log has been replaced since.
#pragma once

#include <string>

#include "app/campaign/grid/grid.hpp"
#include "app/campaign/keys/catalogues.hpp"
#include "app/campaign/yaml/node.hpp"

namespace schedfarm::app {

/// `base`: the tree that all cells start from, without what is not used. `inputs`: files and their
/// checksums. REQUIRES: a campaign without problems.
std::string effective_configuration(
    const Node& campaign,
    const Node& base,
    const Node& inputs,
    const Grid& grid,
    const Catalogues& catalogues
);

}  // namespace schedfarm::app
