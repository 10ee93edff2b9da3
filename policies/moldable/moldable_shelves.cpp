// The dual approximation of Mounié, Rapine & Trystram as it is: a schedule of moldable jobs that
// ends within 3/2 of the best makespan, and knows nothing of weights. A rigid job is taken for one
// that could have fewer processors; it waits where its own are not free, and those behind it do.
//
// Cost: that of engine/optimization/dual_approximation.hpp.
#include <algorithm>
#include <functional>
#include <queue>
#include <vector>

#include "policies/moldable/moldable_batches.hpp"

namespace schedfarm::policies {

namespace {

using engine::Parameters;

struct PlannedEnd {
    double end = 0;
    std::uint32_t processors = 1;

    bool operator>(const PlannedEnd& other) const { return end > other.end; }
};

/// The plan, sorted by start, as the whole machine keeps it: a task whose processors are not free
/// yet waits until they are, and those behind it wait with it. Rigid tasks need more than their
/// places have; and the sum of begin, start and time may round to later than the start of what
/// follows, which would take a plan without any conflict for one that does not fit.
/// Cost: O(n log n).
void keep_by_clock(std::vector<PlannedStart>& plan, const MoldableProblem& problem) {
    std::priority_queue<PlannedEnd, std::vector<PlannedEnd>, std::greater<>> running;
    std::uint32_t free = problem.processors();
    double now = problem.begin();
    for (PlannedStart& planned : plan) {
        now = std::max(now, planned.start);
        while (!running.empty() && (running.top().end <= now || free < planned.processors)) {
            now = std::max(now, running.top().end);
            free += running.top().processors;
            running.pop();
        }
        planned.start = now;
        free -= planned.processors;
        const double time = problem.instance().time(planned.task, planned.processors);
        running.push({now + time, planned.processors});
    }
}

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
    keep_by_clock(plan, problem);
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
         .make_planner = [](const Parameters&) -> MoldablePlanner {
             return plan_shelves;
         }}
    );
}

}  // namespace schedfarm::policies
