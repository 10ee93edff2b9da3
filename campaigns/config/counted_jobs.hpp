// `horizon.jobs: all`: as many jobs as the workload has.
#pragma once

#include <optional>

#include "campaigns/config/cell_settings.hpp"
#include "campaigns/config/node.hpp"
#include "campaigns/config/problems.hpp"

namespace schedfarm::campaigns {

/// The cell with the number of jobs in the place of `all`; absent where there is nothing to
/// replace, or a problem was found. A log that is resampled has no end: it counts as it is.
/// `settings`: what was read of the cell so far. Cost: that of drawing the jobs once.
std::optional<Node> with_counted_jobs(
    const Node& cell, const CellSettings& settings, Problems& problems
);

}  // namespace schedfarm::campaigns
