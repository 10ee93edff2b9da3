// What makespan costs in Σ weight · completion, for one set of moldable tasks: the front of all
// lists that searches under limits from 2 λ* down to λ* come by. Each search begins where the one
// before ended. Points are reached by schedules, but a better front may exist.
#pragma once

#include "policies/moldable/list_search.hpp"
#include "policies/moldable/pareto_front.hpp"

namespace schedfarm::policies {

/// Cost: eleven searches.
ParetoFront moldable_front(
    const MoldableProblem& problem, std::uint64_t moves_per_task, BatchDice& dice
);

}  // namespace schedfarm::policies
