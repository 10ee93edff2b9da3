// Every moldable job on all processors, one after the other by decreasing weight / time: best for
// linear speedups (Dutot et al. 2004, section 4.1). Cost: O(n log n).
#include <algorithm>
#include <numeric>
#include <vector>

#include "policies/moldable/moldable_batches.hpp"

namespace schedfarm::policies {

namespace {

using engine::Parameters;

std::vector<PlannedStart> plan_gang(const MoldableProblem& problem, const BatchDraws&) {
    std::vector<std::uint32_t> processors(problem.size());
    for (std::uint32_t task = 0; task < problem.size(); ++task) {
        processors[task] = problem.allotment(task, problem.processors());
    }
    const TaskList list = task_list(problem, processors);
    std::vector<std::uint32_t> order(problem.size());
    std::iota(order.begin(), order.end(), std::uint32_t{0});
    std::stable_sort(order.begin(), order.end(), [&list](std::uint32_t a, std::uint32_t b) {
        return list.tasks[a].weight * list.tasks[b].time
               > list.tasks[b].weight * list.tasks[a].time;
    });
    return planned_starts(
        list, strict_schedule(list, order, problem.processors(), problem.begin())
    );
}

}  // namespace

engine::PolicyDescription describe_moldable_gang() {
    return describe_moldable_policy(
        {.alternative =
             {.name = "moldable_gang",
              .summary =
                  "Moldable jobs on all processors, one by one, by decreasing weight / time.",
              .parameters = {},
              .source = "Dutot et al. 2004, section 4.1 (Gang)"},
         .make_planner = [](const Parameters&) -> MoldablePlanner {
             return plan_gang;
         }}
    );
}

}  // namespace schedfarm::policies
