// A linear program: every task is shared out over intervals of time at least cost, and what has
// been put into the first intervals takes no more than they offer together.
//
//   minimise  Σ cost(i, j) x(i, j)   where  Σ_j x(i, j) = 1 for every task i,  x >= 0,
//   Σ_{l <= j} Σ_i area(i, l) x(i, l) <= capacity(j) for the first intervals, those with rows.
//
// Duals are prices of an interval's area, falling from interval to interval, 0 beyond the last row.
// Every such prices prove a lower bound, whoever found them:
//   Σ_i min_j (cost(i, j) + price(j) area(i, j)) − Σ_j (capacity(j) − capacity(j − 1)) price(j).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace schedfarm::engine {

/// Tables go interval by interval: entry (i, j) at j · tasks + i.
struct NestedAssignment {
    std::size_t tasks = 0;
    std::size_t intervals = 0;
    std::vector<double> costs;       ///< not negative; infinite: not allowed
    std::vector<double> areas;       ///< not negative and finite
    std::vector<double> capacities;  ///< one for each row, never falling; rows <= intervals

    std::size_t rows() const { return capacities.size(); }
    double cost(std::size_t task, std::size_t interval) const {
        return costs[interval * tasks + task];
    }
    double area(std::size_t task, std::size_t interval) const {
        return areas[interval * tasks + task];
    }
};

struct AssignedShare {
    std::uint32_t task = 0;
    std::uint32_t interval = 0;
    double fraction = 0;
};

/// What each task pays where it is cheapest, cost(i, j) + price(j) area(i, j), and the first such
/// interval.
struct CheapestIntervals {
    std::vector<double> payments;
    std::vector<std::uint64_t> intervals;
};

/// Overwrites `result`. REQUIRES: a price for each interval. Cost: O(tasks × intervals), in
/// vectors.
void find_cheapest(
    const NestedAssignment& problem, std::span<const double> prices, CheapestIntervals& result
);

/// The lower bound that these prices prove, rounded down: no shares that satisfy the constraints
/// cost less, in exact arithmetic or summed up task by task in doubles.
/// REQUIRES: a price for each interval, none negative, never rising, 0 beyond the rows.
double proven_bound(const NestedAssignment& problem, std::span<const double> prices);

struct PrimalCheck {
    double cost = 0;
    double violation = 0;  ///< greatest of any constraint, relative to its right side
};
PrimalCheck primal_check(const NestedAssignment& problem, std::span<const AssignedShare> shares);

/// The shares without negative ones, those of a task adding up to 1, and with what their intervals
/// cannot hold put off to the next one, the cheapest first. REQUIRES: tasks may go to all intervals
/// behind one to which they may go.
std::vector<AssignedShare> put_off(
    const NestedAssignment& problem, std::span<const AssignedShare> shares
);

}  // namespace schedfarm::engine
