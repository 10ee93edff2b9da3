// The dual approximation of Mounié, Rapine & Trystram as it is: a schedule of moldable jobs that
// ends within 3/2 of the best makespan, and knows nothing of weights. A rigid job is taken for one
// that could have fewer processors; it waits where its own are not free.
// Cost: that of engine/optimization/dual_approximation.hpp.
#include <algorithm>
#include <vector>

#include "policies/moldable/moldable_batches.hpp"

namespace schedfarm::policies {

namespace {

using engine::Parameters;

std::vector<PlannedStart> plan_shelves(const MoldableProblem& problem, const BatchDraws&) {
    const std::vector<engine::PlacedTask>& schedule = problem.dual().schedule;
    std::vector<PlannedStart> plan;
    for (std::uint32_t task = 0; task < problem.size(); ++task) {
        plan.push_back(
            {task,
             problem.allotment(task, schedule[task].processors),
             problem.begin() + schedule[task].start}
        );
    }
    std::stable_sort(plan.begin(), plan.end(), [](const PlannedStart& a, const PlannedStart& b) {
        return a.start < b.start;
    });
    return plan;
}

}  // namespace

engine::PolicyDescription describe_moldable_shelves() {
    return describe_moldable_policy(
        {.alternative =
             {.name = "moldable_shelves",
              .summary = "Two shelves of moldable jobs: within 3/2 of the best makespan.",
              .parameters = {},
              .source = "Mounie, Rapine & Trystram 2007"},
         .make_planner = [](const Parameters&) -> MoldablePlanner { return plan_shelves; },
         .invariants =
             [](const Parameters&) {
                 return MoldableInvariants{};
             }}
    );
}

}  // namespace schedfarm::policies
