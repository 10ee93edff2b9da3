// List scheduling of moldable jobs with the allotment of the dual approximation, which is made for
// the makespan, in one of the orders of Dutot et al. (2004, section 4.1):
//
//   shelves              the first shelf, the second, the small ones (their List)
//   largest_time         by decreasing time / weight (their weighted LPTF; they write
//                        weight / time, which contradicts their mixed results)
//   smallest_area        by increasing processors · time (their SAF)
//
// Cost: that of the dual approximation, and O(n²).
#include <algorithm>
#include <string>
#include <vector>

#include "policies/moldable/moldable_batches.hpp"

namespace schedfarm::policies {

namespace {

using engine::Parameters;
using engine::ParameterType;

std::vector<PlannedStart> plan_list(const std::string& order_word, const MoldableProblem& problem) {
    const engine::DualApproximation& dual = problem.dual();
    std::vector<std::uint32_t> processors(problem.size());
    for (std::uint32_t task = 0; task < problem.size(); ++task) {
        processors[task] = problem.allotment(task, dual.shelves[task].processors);
    }
    const TaskList list = task_list(problem, processors);
    std::vector<std::uint32_t> order = dual.shelf_order();
    const auto sort_by = [&order](const auto& comes_before) {
        std::sort(order.begin(), order.end());
        std::stable_sort(order.begin(), order.end(), comes_before);
    };
    if (order_word == "largest_time") {
        sort_by([&list](std::uint32_t a, std::uint32_t b) {
            return list.tasks[a].time * list.tasks[b].weight
                   > list.tasks[b].time * list.tasks[a].weight;
        });
    } else if (order_word == "smallest_area") {
        sort_by([&list](std::uint32_t a, std::uint32_t b) {
            return list.entries[a].processors * list.tasks[a].time
                   < list.entries[b].processors * list.tasks[b].time;
        });
    }
    return planned_starts(
        list, graham_schedule(list, order, problem.processors(), problem.begin())
    );
}

}  // namespace

engine::PolicyDescription describe_moldable_list() {
    return describe_moldable_policy(
        {.alternative =
             {.name = "moldable_list",
              .summary = "List scheduling of moldable jobs with an allotment for the makespan.",
              .parameters =
                  {{.name = "order",
                    .meaning =
                        "shelves: as the dual approximation lists the jobs; largest_time: by "
                        "decreasing time / weight; smallest_area: by processors x time",
                    .type = ParameterType::text,
                    .default_value = "shelves",
                    .words = {"shelves", "largest_time", "smallest_area"}}},
              .source = "Garey & Graham 1975; Dutot et al. 2004, section 4.1 (List, LPTF, SAF)"},
         .make_planner = [](const Parameters& given) -> MoldablePlanner {
             return
                 [word = given.text("order")](const MoldableProblem& problem, const BatchDraws&) {
                     return plan_list(word, problem);
                 };
         }}
    );
}

}  // namespace schedfarm::policies
