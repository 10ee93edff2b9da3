// The list of DEMT, the bi-criteria algorithm of Dutot, Eyraud, Mounié & Trystram (SPAA 2004,
// section 3.2). With an estimate C* of the optimal makespan, tmin the shortest time of any task and
// K = floor(log2(C*/tmin)), batch j takes t_j = C*/2^(K − j): of the tasks that can end within t_j
// those of greatest total weight, each on the fewest processors that do it, by a knapsack over the
// processors. Before, tasks that take at most t_j/2 on one processor are stacked, by decreasing
// weight, one after the other on one processor while they end within t_j. What is left after batch
// K goes to batches that go on doubling.
//
// The list has batch after batch, within a batch the entries by decreasing weight / time; ties:
// single tasks by number, then stacks or their tasks in order.
// Cost: O(n m K).
#pragma once

#include <cstdint>
#include <vector>

#include "policies/moldable/moldable_problem.hpp"
#include "policies/moldable/task_list.hpp"

namespace schedfarm::policies {

struct DemtList {
    TaskList list;
    std::vector<std::uint32_t> batch_ends;  ///< of each batch, the entry behind its last
};

/// Whether a stack is one entry of the list, or as many as it has tasks.
enum class Stacks : std::uint8_t { kept, taken_apart };

/// REQUIRES: target > 0, C* of the text above.
DemtList demt_list(const MoldableProblem& problem, double target, Stacks stacks = Stacks::kept);

}  // namespace schedfarm::policies
