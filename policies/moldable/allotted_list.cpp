#include "policies/moldable/allotted_list.hpp"

#include <algorithm>

#include "policies/moldable/reserved_list.hpp"

namespace schedfarm::policies {

namespace {

constexpr auto is_later = [](const auto& a, const auto& b) {
    return a.time > b.time;
};

}  // namespace

TaskList task_list(const MoldableProblem& problem, const std::vector<std::uint32_t>& processors) {
    const engine::MoldableInstance& instance = problem.instance();
    TaskList list;
    for (std::uint32_t task = 0; task < problem.size(); ++task) {
        const double time = instance.time(task, processors[task]);
        list.add(processors[task], {task, time, instance.weight(task)});
    }
    return list;
}

ListEvaluator::ListEvaluator(const MoldableProblem& problem)
    : problem_(problem), tasks_(problem.size()) {
    for (std::size_t task = 0; task < tasks_.size(); ++task) {
        tasks_[task].weight = problem.instance().weight(task);
    }
    if (problem.free() != nullptr) {
        list_ = task_list(problem, std::vector<std::uint32_t>(tasks_.size(), 1));
    }
}

void ListEvaluator::take(const std::vector<std::uint32_t>& processors) {
    for (std::size_t task = 0; task < tasks_.size(); ++task) {
        take(task, processors[task]);
    }
}

void ListEvaluator::take(std::size_t task, std::uint32_t processors) {
    tasks_[task].processors = processors;
    tasks_[task].time = problem_.instance().time(task, processors);
    if (problem_.free() != nullptr) {
        list_.entries[task].processors = processors;
        list_.tasks[task].time = tasks_[task].time;
    }
}

ListCriteria ListEvaluator::evaluate(
    const std::vector<std::uint32_t>& order, double makespan_limit
) {
    if (problem_.free() != nullptr) {
        return evaluate_reserved(order, makespan_limit);
    }
    ListCriteria result;
    releases_.assign(1, {0, problem_.processors()});
    for (const std::uint32_t number : order) {
        const Task& task = tasks_[number];
        const double end = take_first(task.processors) + task.time;
        add({end, task.processors});
        result.makespan = std::max(result.makespan, end);
        result.minsum += task.weight * end;
        result.excess += std::max(0.0, end - makespan_limit);
    }
    return result;
}

ListCriteria ListEvaluator::evaluate_reserved(
    const std::vector<std::uint32_t>& order, double makespan_limit
) const {
    const ListSchedule schedule = strict_schedule(list_, order, problem_);
    ListCriteria result;
    result.minsum = schedule.weighted_completion;
    result.makespan = schedule.finish - problem_.begin();
    for (std::size_t task = 0; task < tasks_.size(); ++task) {
        // As the makespan is summed up, so that nothing exceeds a limit that the makespan keeps.
        const double end = (schedule.starts[task] + tasks_[task].time) - problem_.begin();
        result.excess += std::max(0.0, end - makespan_limit);
    }
    return result;
}

/// When the last of those that are free first is.
double ListEvaluator::take_first(std::uint32_t processors) {
    while (releases_.front().processors < processors) {
        processors -= releases_.front().processors;
        std::pop_heap(releases_.begin(), releases_.end(), is_later);
        releases_.pop_back();
    }
    Release& last = releases_.front();
    const double time = last.time;
    last.processors -= processors;
    if (last.processors == 0) {
        std::pop_heap(releases_.begin(), releases_.end(), is_later);
        releases_.pop_back();
    }
    return time;
}

void ListEvaluator::add(const Release& release) {
    releases_.push_back(release);
    std::push_heap(releases_.begin(), releases_.end(), is_later);
}

}  // namespace schedfarm::policies
