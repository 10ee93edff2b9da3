// Nested assignments on half as many intervals: the next two are one, with the end, the areas and
// the room of the later and the mean of the costs. Prices of the coarse problem, shared out between
// its neighbours, are near those of the fine one, and are found sooner: a fine grid is solved from
// coarse to fine.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/optimization/nested_assignment.hpp"

namespace schedfarm::engine {

/// Of an odd number of intervals the first stays alone. All that may go to the last interval may
/// still, and fit. REQUIRES: intervals.
NestedAssignment coarse_assignment(const NestedAssignment& problem);

/// Prices for a problem of that many intervals from those of its coarse one: in each of two
/// intervals three quarters of theirs and one quarter of their neighbour's on that side.
std::vector<double> fine_prices(std::span<const double> coarse_prices, std::size_t intervals);

}  // namespace schedfarm::engine
