// An off-line problem of moldable tasks: n tasks, all there at time 0, on m identical processors;
// task i takes time(i, k) on k processors and has a weight. A view: the times stay where they are.
//
// A task is monotone when its times never grow and its areas k·time(k) never fall with k; the
// guarantee of the dual approximation needs that. Rounding may do either by monotony_slack from one
// k to the next, which adds up; bounds make up for the sum (area_loss(), least_time()). Tasks that
// are not monotone: engine/optimization/monotone_hull.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace schedfarm::engine {

struct MoldableTask {
    std::span<const double> times;  ///< times[k − 1] on k processors
    double weight = 1;
};

/// Relative growth of a time or loss of an area, from one k to the next, that counts as rounding.
inline constexpr double monotony_slack = 1e-12;

class MoldableInstance {
  public:
    /// REQUIRES: tasks and processors; for every task one positive finite time per processor (more
    /// are ignored) and a finite weight that is not negative. Cost: O(n m).
    MoldableInstance(std::uint32_t processors, std::vector<MoldableTask> tasks);

    std::size_t size() const { return tasks_.size(); }
    std::uint32_t processors() const { return processors_; }
    double weight(std::size_t task) const { return tasks_[task].weight; }

    /// REQUIRES: 1 <= count <= processors().
    double time(std::size_t task, std::uint32_t count) const {
        return tasks_[task].times[count - 1];
    }
    double area(std::size_t task, std::uint32_t count) const { return count * time(task, count); }
    std::span<const double> times(std::size_t task) const {
        return tasks_[task].times.first(processors_);
    }

    /// γ: the least number of processors on which the task takes at most `time`;
    /// processors() + 1 if there is none. Cost: O(log m), O(m) if some times grow.
    std::uint32_t least_processors(std::size_t task, double time) const;

    bool is_monotone() const { return is_monotone_; }
    /// What a task's areas fall at most below an earlier one of it, relative to that. Of monotone
    /// instances rounding alone makes them fall; 0 of others.
    double area_loss() const { return area_loss_; }

    /// The shortest time that the task can take. Cost: O(1), O(m) if some times grow.
    double least_time(std::size_t task) const;
    /// The shortest time that any task can take.
    double least_time() const { return least_time_; }

  private:
    void examine(const MoldableTask& task);

    std::uint32_t processors_;
    std::vector<MoldableTask> tasks_;
    bool times_never_grow_ = true;  // not by rounding either
    bool is_monotone_ = true;
    double area_loss_ = 0;
    double least_time_;
};

}  // namespace schedfarm::engine
