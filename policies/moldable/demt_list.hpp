// The list of DEMT, the bi-criteria algorithm of Dutot, Eyraud, Mounié & Trystram (SPAA 2004,
// section 3.2). With an estimate C* of the optimal makespan, tmin the shortest time of any task and
// K = floor(log2(C*/tmin)), batch j takes t_j = C*/2^(K − j): of the tasks that can end within t_j
// those of greatest total weight, each on the fewest processors that do it, by a knapsack over the
// processors. Before, tasks that take at most t_j/2 on one processor are stacked, by decreasing
// weight, one after the other on one processor while they end within t_j. What is left after batch
// K goes to batches that go on doubling. Where processors are reserved a batch that is t_j <= C*
// long has as many as are free on average between t_j and 2 t_j, which is when it would run: room
// for its area, whose places the list then finds. What is left has the whole machine, so that each
// of its batches takes a task as soon as it is long enough: there are finitely many. Where
// something is reserved before 2 C*, stacks are taken apart, for no gap may be long enough for all
// of one.
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

/// REQUIRES: target > 0, C* of the text above; reservations end.
DemtList demt_list(const MoldableProblem& problem, double target, Stacks stacks = Stacks::kept);

}  // namespace schedfarm::policies
