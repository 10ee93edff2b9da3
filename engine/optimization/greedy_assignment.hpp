// A start for the solution of a nested assignment: interval by interval, of the tasks that are
// cheapest there or before at given prices, what costs most to put off to the next interval, per
// area that it takes, goes in while there is room; the rest goes to the last. Without prices this
// is near enough to the optimum that the simplex method needs a quarter of the iterations that it
// needs from everything in the last interval; at the right prices, near enough for a tenth of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/optimization/nested_assignment.hpp"

namespace schedfarm::engine {

/// The interval of each task; satisfies all constraints. REQUIRES: all tasks may go to the last
/// interval, and fit there together; a price for each interval, no matter how good. Cost:
/// O(intervals × tasks log tasks).
std::vector<std::uint32_t> greedy_assignment(
    const NestedAssignment& problem, std::span<const double> prices
);

/// Without prices.
std::vector<std::uint32_t> greedy_assignment(const NestedAssignment& problem);

}  // namespace schedfarm::engine
