// Solves nested assignments (engine/optimization/nested_assignment.hpp) by the primal simplex
// method with generalised upper bounds (Dantzig & Van Slyke, J. Comput. System Sci. 1, 1967): each
// task has a key interval that answers for its own equation, so that the basis to be inverted has
// only as many rows as there are capacities, however many tasks there are. Deterministic; only
// + − × ÷ of double, so that all machines give the same bits.
//
// Every answer is checked before it is given: the shares satisfy all constraints, and the prices
// prove a bound that is their cost, both to solution_precision. An answer that fails is an error,
// never a result.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/optimization/nested_assignment.hpp"

namespace schedfarm::engine {

inline constexpr double solution_precision = 1e-9;

struct AssignmentSolution {
    double bound = 0;                   ///< what the prices prove: never above the optimum
    double cost = 0;                    ///< of the shares
    std::vector<double> prices;         ///< by interval, as proven_bound() takes them
    std::vector<AssignedShare> shares;  ///< a vertex, at most tasks + rows of them, up to rounding
    std::uint64_t iterations = 0;
};

/// REQUIRES: positive capacities; all tasks may go to the last interval, and fit there.
/// Throws std::runtime_error if no answer passes the check. Cost: a few iterations per task, each
/// O(rows²), and pricing in vectors.
AssignmentSolution solve(const NestedAssignment& problem);

}  // namespace schedfarm::engine
