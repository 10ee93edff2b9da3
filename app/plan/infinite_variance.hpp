// Workloads whose times have no finite variance: intervals of their means promise nothing, however
// many replications there are.
#pragma once

#include "engine/foundation/parameters.hpp"

namespace schedfarm::app {

/// Whether a distribution of times has none, in the workload or in one inside of it.
bool has_infinite_variance(const engine::Choice& workload);

}  // namespace schedfarm::app
