#include "engine/optimization/greedy_assignment.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace schedfarm::engine {

namespace {

struct Waiting {
    std::uint32_t task = 0;
    double urgency = 0;  // of this interval
};

/// Urgencies in this interval; below 0: the task may not go there.
void measure(const NestedAssignment& problem, std::size_t interval, std::vector<Waiting>& waiting) {
    for (Waiting& one : waiting) {
        const double cost = problem.cost(one.task, interval);
        const double saving = problem.cost(one.task, interval + 1) - cost;
        const double area = problem.area(one.task, interval);
        one.urgency = std::isfinite(cost) ? saving / std::max(area, 1e-300) : -1;
    }
}

bool is_more_urgent(const Waiting& a, const Waiting& b) {
    return a.urgency != b.urgency ? a.urgency > b.urgency : a.task < b.task;
}

}  // namespace

std::vector<std::uint32_t> greedy_assignment(const NestedAssignment& problem) {
    const std::size_t last = problem.intervals - 1;
    const bool last_is_limited = problem.rows() == problem.intervals;
    const double limit =
        last_is_limited ? problem.capacities[last] : std::numeric_limits<double>::infinity();
    std::vector<std::uint32_t> result(problem.tasks, static_cast<std::uint32_t>(last));
    std::vector<Waiting> waiting;
    double waiting_area = 0;  // in the last interval
    for (std::uint32_t task = 0; task < problem.tasks; ++task) {
        waiting.push_back({task});
        waiting_area += problem.area(task, last);
    }
    double used = 0;
    for (std::uint32_t j = 0; j < std::min(last, problem.rows()); ++j) {
        measure(problem, j, waiting);
        std::sort(waiting.begin(), waiting.end(), is_more_urgent);
        std::erase_if(waiting, [&](const Waiting& one) {
            const double area = used + problem.area(one.task, j);
            const double rest = waiting_area - problem.area(one.task, last);
            const bool goes =
                one.urgency >= 0 && area <= problem.capacities[j] && area + rest <= limit;
            if (goes) {
                result[one.task] = j;
                used = area;
                waiting_area = rest;
            }
            return goes;
        });
    }
    return result;
}

}  // namespace schedfarm::engine
