// How much the work of jobs varies, where that makes the wait for a single server of any speed
// known: jobs arrive by a Poisson process, and the work of a job, size times service time, does not
// depend on that of others (Pollaczek & Khinchine).
#pragma once

#include <optional>

#include "engine/foundation/parameters.hpp"
#include "engine/simulation/system.hpp"

namespace schedfarm::models {

/// Variance over squared mean of the work; absent where arrivals are not Poisson, it is infinite or
/// not known. REQUIRES: complete parameters.
std::optional<double> squared_variation_of_work(
    const engine::Choice& workload, const engine::SystemDescription& system
);

}  // namespace schedfarm::models
