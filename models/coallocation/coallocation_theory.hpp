// What theory knows of a cell of the co-allocation model, from models/closed_forms. Pure functions;
// nothing is claimed for a system whose capacity changes.
//
// - bin_filling: exact for total and ordered requests under every policy that starts a lone job
//   which fits; the paper's approximations for total requests.
// - saturated: exact for first-come first-served and exponential service, total or ordered
// requests.
// - open, first-come first-served: exact where the number of jobs that run together is limited by a
//   constant k (k always fit, k + 1 never: all sizes equal, or a narrow interval such as [13, 16]
//   on 32) and arrivals are Poisson: M/G/1 for k = 1, M/M/k for exponential service. Where two jobs
//   seldom run together, M/M/1 stands beside as an approximation.
// The limit k also makes the others exact for unordered requests with a component on every cluster.
//
// These are values of the stationary system. "exact from empty" are means over just the jobs that
// the horizon measures, in a system that starts empty: a single job of any service time, and M/M/1
// up to 5,000 jobs.
#pragma once

#include <optional>
#include <vector>

#include "engine/simulation/workload_model.hpp"

namespace schedfarm::models {

std::vector<engine::KnownValue> coallocation_known_values(
    const engine::Parameters& parameters, const engine::TheoryContext& context
);

/// Absent where it is not known exactly, and for policies that are not first-come first-served.
std::optional<engine::KnownValue> coallocation_maximal_utilization(
    const engine::Parameters& parameters, const engine::TheoryContext& context
);

}  // namespace schedfarm::models
