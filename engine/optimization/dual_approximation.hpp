// The makespan of moldable tasks: a lower bound and a schedule within 3/2 of it, by the dual
// approximation of Mounié, Rapine and Trystram. A search finds λ*, the least guess that the test
// of engine/optimization/shelf_test.hpp accepts; engine/optimization/shelf_schedule.hpp builds the
// schedule. Instances that are not monotone are taken as well: the bound is then that of the
// monotone instance below, the schedule (and λ) that of the one above, see monotone_hull.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/optimization/moldable_instance.hpp"
#include "engine/optimization/shelf_schedule.hpp"
#include "engine/optimization/shelf_test.hpp"

namespace schedfarm::engine {

struct DualApproximation {
    double lambda = 0;               ///< accepted; for a monotone instance λ* to 1e-9 relative
    double lower_bound = 0;          ///< no schedule from 0 on ends before, not by rounding either
    std::vector<ShelfTask> shelves;  ///< the allotment at lambda, task by task
    std::vector<PlacedTask> schedule;  ///< ends by 3/2 lambda
    double makespan = 0;               ///< of that schedule

    /// The tasks of the first shelf, then of the second, then the small ones, each by number.
    std::vector<std::uint32_t> shelf_order() const;
};

/// Cost: O(n m) for each guess, in vectors; some 30 guesses, fewer when tasks are many.
DualApproximation dual_approximation(const MoldableInstance& instance);

}  // namespace schedfarm::engine
