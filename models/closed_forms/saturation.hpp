// The maximal utilization under first-come first-served where it is known exactly. Pure functions.
#pragma once

#include <cstdint>

#include "models/closed_forms/bin_filling.hpp"

namespace schedfarm::models::closed_forms {

/// ρ_m = E[size] / (processors · E[1/n]), n = number of jobs in one fill (Rumyantsev & Morozov,
/// Stability criterion of a multiserver model with simultaneous service, Annals of Operations
/// Research 252, 2017). Holds for exponential service independent of the size, when whether a job
/// fits depends on the set of running jobs alone: single clusters and ordered requests.
/// `mean_size` is E[size] over all components. REQUIRES: every job fits an empty system.
double maximal_utilization(const Fill& fill, double mean_size, std::uint32_t processors);

}  // namespace schedfarm::models::closed_forms
