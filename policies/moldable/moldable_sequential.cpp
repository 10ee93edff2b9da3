// Every moldable job on one processor, the longest first (Dutot et al. 2004, section 4.1).
// Cost: O(n² + n log n).
#include <algorithm>
#include <numeric>
#include <vector>

#include "policies/moldable/moldable_batches.hpp"

namespace schedfarm::policies {

namespace {

using engine::Parameters;

std::vector<PlannedStart> plan_sequential(const MoldableProblem& problem, const BatchDraws&) {
    std::vector<std::uint32_t> processors(problem.size());
    for (std::uint32_t task = 0; task < problem.size(); ++task) {
        processors[task] = problem.allotment(task, 1);
    }
    const TaskList list = task_list(problem, processors);
    std::vector<std::uint32_t> order(problem.size());
    std::iota(order.begin(), order.end(), std::uint32_t{0});
    std::stable_sort(order.begin(), order.end(), [&list](std::uint32_t a, std::uint32_t b) {
        return list.tasks[a].time > list.tasks[b].time;
    });
    return planned_starts(
        list, graham_schedule(list, order, problem.processors(), problem.begin())
    );
}

}  // namespace

engine::PolicyDescription describe_moldable_sequential() {
    return describe_moldable_policy(
        {.alternative =
             {.name = "moldable_sequential",
              .summary = "Moldable jobs on one processor each, the longest first.",
              .parameters = {},
              .source = "Dutot et al. 2004, section 4.1 (Sequential)"},
         .make_planner = [](const Parameters&) -> MoldablePlanner {
             return plan_sequential;
         }}
    );
}

}  // namespace schedfarm::policies
