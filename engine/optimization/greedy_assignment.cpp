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

bool is_more_urgent(const Waiting& a, const Waiting& b) {
    return a.urgency != b.urgency ? a.urgency > b.urgency : a.task < b.task;
}

class Greedy {
  public:
    Greedy(const NestedAssignment& problem, std::span<const double> prices)
        : problem_(problem), prices_(prices), last_(problem.intervals - 1) {
        if (problem.rows() == problem.intervals) {
            last_capacity_ = problem.capacities[last_];
        }
        for (std::uint32_t task = 0; task < problem.tasks; ++task) {
            waiting_area_ += problem.area(task, last_);
        }
        find_cheapest(problem, prices, cheapest_);
    }

    std::vector<std::uint32_t> run() {
        std::vector<std::uint32_t> result(problem_.tasks, static_cast<std::uint32_t>(last_));
        std::vector<std::vector<std::uint32_t>> coming(problem_.intervals);
        for (std::uint32_t task = 0; task < problem_.tasks; ++task) {
            coming[cheapest_.intervals[task]].push_back(task);
        }
        for (std::uint32_t j = 0; j < std::min(last_, problem_.rows()); ++j) {
            for (const std::uint32_t task : coming[j]) {
                waiting_.push_back({task});
            }
            for (Waiting& one : waiting_) {
                one.urgency = urgency(one.task, j);
            }
            std::sort(waiting_.begin(), waiting_.end(), is_more_urgent);
            std::erase_if(waiting_, [&](const Waiting& one) {
                const bool goes = one.urgency >= 0 && take(one.task, j);
                result[one.task] = goes ? j : result[one.task];
                return goes;
            });
        }
        return result;
    }

  private:
    double payment(std::uint32_t task, std::size_t interval) const {
        return problem_.cost(task, interval) + prices_[interval] * problem_.area(task, interval);
    }

    /// Below 0: the task may not go there.
    double urgency(std::uint32_t task, std::size_t interval) const {
        const double here = payment(task, interval);
        const double area = std::max(problem_.area(task, interval), 1e-300);
        return std::isfinite(here) ? (payment(task, interval + 1) - here) / area : -1;
    }

    /// If there is room.
    bool take(std::uint32_t task, std::size_t interval) {
        const double area = used_ + problem_.area(task, interval);
        const double rest = waiting_area_ - problem_.area(task, last_);
        if (area > problem_.capacities[interval] || area + rest > last_capacity_) {
            return false;
        }
        used_ = area;
        waiting_area_ = rest;
        return true;
    }

    const NestedAssignment& problem_;
    std::span<const double> prices_;
    std::size_t last_;
    double last_capacity_ = std::numeric_limits<double>::infinity();
    CheapestIntervals cheapest_;
    std::vector<Waiting> waiting_;
    double waiting_area_ = 0;  // of those without an interval, in the last
    double used_ = 0;
};

}  // namespace

std::vector<std::uint32_t> greedy_assignment(
    const NestedAssignment& problem, std::span<const double> prices
) {
    return Greedy(problem, prices).run();
}

std::vector<std::uint32_t> greedy_assignment(const NestedAssignment& problem) {
    return greedy_assignment(problem, std::vector<double>(problem.intervals, 0));
}

}  // namespace schedfarm::engine
