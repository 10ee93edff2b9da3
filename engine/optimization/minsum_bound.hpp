// Lower bounds of Σ w C for moldable tasks by linear programs over intervals of time (Dutot,
// Eyraud, Mounié and Trystram, SPAA 2004, section 3.3): a task that ends within (t_j, t_{j+1}]
// needs the least area with which it can take at most t_{j+1}, and all that end by t_{j+1} have
// room on m processors until then.
//
//   printed  as in the paper, t_j = λ*/2^(K−j), K = ⌊log2(λ*/t_min)⌋: intervals (t_j, t_{j+1}] for
//            0 <= j <= K at cost w t_j. NOT a bound: tasks that end by t_0 have no interval, and
//            schedules may go on after t_{K+1}. For comparison with the paper.
//   safe     with the interval (t_0/2, t_0], and without the last capacity.
//   refined  safe on a grid that goes from 2 λ* down to t_min in more steps per octave, and with
//            what a task costs at least: w max(t_j, p(m)).
//
// Instances that are not monotone are bounded through the monotone one below. Bounds hold for
// schedules of doubles, whose ends are rounded sums start + time from 0 on, and their rounded
// minsum, to the last bit: capacities of safe and refined have a margin for the ends and for areas
// that fall by rounding, and proven_bound() rounds down.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/optimization/gub_simplex.hpp"
#include "engine/optimization/moldable_instance.hpp"

namespace schedfarm::engine {

enum class MinsumProgram : std::uint8_t { printed, safe, refined };

struct MinsumSettings {
    MinsumProgram program = MinsumProgram::safe;
    std::uint32_t steps_per_octave = 4;  ///< of refined: the grid's ratio is 2^(1/steps)
};

struct MinsumBound {
    double value = 0;            ///< what solution.prices prove
    std::vector<double> starts;  ///< t_j of each interval
    std::vector<double> ends;    ///< t_{j+1}
    AssignmentSolution solution;
};

/// `makespan` is λ*; safe and refined are bounds for every makespan that meets the requirement.
/// REQUIRES: it is at least the λ* of the instance (DualApproximation::lambda); at most 64 steps
/// per octave.
MinsumBound minsum_bound(
    const MoldableInstance& instance, double makespan, const MinsumSettings& settings
);

/// The linear program itself and its grid.
struct MinsumLinearProgram {
    std::vector<double> starts;
    std::vector<double> ends;
    NestedAssignment problem;
};

/// REQUIRES: a monotone instance, otherwise as above.
MinsumLinearProgram minsum_program(
    const MoldableInstance& instance, double makespan, const MinsumSettings& settings
);

}  // namespace schedfarm::engine
