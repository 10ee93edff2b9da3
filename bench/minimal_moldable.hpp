// Hand-written minimal loops for moldable jobs, as in bench/minimal_loops.hpp: the test
// of a guess of the makespan by a table of all processors, and plain bisection over the guesses.
// References of `schedfarm-bench` and, sharing nothing with engine/optimization but the instance, a
// second implementation in its tests.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/optimization/knapsack.hpp"
#include "engine/optimization/moldable_instance.hpp"

namespace schedfarm::bench {

/// The least total cost of a knapsack and which items are in.
struct MinimalChoice {
    double cost = 0;
    std::vector<bool> chosen;
};
MinimalChoice minimal_knapsack(
    const std::vector<engine::KnapsackItem>& items, std::uint32_t capacity
);

/// The least guess that the test of Mounié, Rapine & Trystram accepts, to 1e-9 relative.
/// REQUIRES: a monotone instance.
double minimal_lambda(const engine::MoldableInstance& instance);

}  // namespace schedfarm::bench
