// How many jobs a workload has: for `horizon.jobs: all`, and for horizons beyond its end; and
// whether the program finds how many a replication is to have.
#pragma once

#include <cstdint>
#include <optional>

#include "app/campaign/checks/cell_settings.hpp"
#include "app/campaign/yaml/node.hpp"
#include "app/campaign/yaml/problems.hpp"

namespace schedfarm::app {

/// The cell with the number of jobs in the place of `all`; absent where there is nothing to
/// replace; what cannot be counted is a problem. A log that is resampled has no end: it counts as
/// it is. `settings`: what was read of the cell so far. Cost: that of drawing the jobs once.
std::optional<Node> with_counted_jobs(
    const Node& cell, const CellSettings& settings, Problems& problems
);

/// Whether the experiment may have `horizon.jobs: all`.
bool can_be_counted(const CellSettings& settings);

/// The jobs of a workload that is known to end: a log without resampling, listed jobs; else absent.
/// REQUIRES: the parts of the cell agree. Cost: that of drawing the jobs once.
std::optional<std::uint64_t> count_of_finite(const CellSettings& settings);

/// Whether the program finds how long a replication is, where a precision target asks for it: the
/// campaign gives no number of jobs, and the empty start of a steady state may show.
bool lengthens(const CellSettings& settings);

}  // namespace schedfarm::app
