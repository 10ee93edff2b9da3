// The linear programs of engine/optimization/nested_assignment.hpp by COIN-OR's CLP: the reference
// of tests and of `schedfarm-bench`, where the build found CLP; nothing else uses it.
#pragma once

#include "engine/optimization/nested_assignment.hpp"

namespace schedfarm::bench {

/// Whether the build found CLP.
bool clp_is_present();

/// The least cost, by the dual simplex method with tolerances of 1e-10.
/// Throws std::runtime_error if CLP is absent or finds no optimum.
double clp_least_cost(const engine::NestedAssignment& problem);

}  // namespace schedfarm::bench
