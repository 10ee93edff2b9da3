// The off-line problem that a policy for moldable jobs has to solve whenever the machine is empty:
// all jobs that wait, on all processors. Rigid jobs may be among them; they have one allotment. For
// everybody who asks for times on fewer processors a rigid job is as fast as its area allows, so
// that bounds of such an instance hold for the mix.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/optimization/dual_approximation.hpp"
#include "engine/optimization/moldable_instance.hpp"
#include "engine/simulation/job.hpp"

namespace schedfarm::policies {

class MoldableProblem {
  public:
    /// REQUIRES: at least one job; all have positive finite times. Jobs are looked at only here,
    /// but the times of moldable ones must stay where they are.
    MoldableProblem(
        std::uint32_t processors, const std::vector<const engine::Job*>& jobs, double begin
    );

    const engine::MoldableInstance& instance() const { return *instance_; }
    std::uint32_t processors() const { return instance_->processors(); }
    std::size_t size() const { return instance_->size(); }
    /// When the machine is free for these jobs.
    double begin() const { return begin_; }

    /// The allotment next to `count` that the task can have.
    std::uint32_t allotment(std::size_t task, std::uint32_t count) const {
        return std::clamp(count, allowed_[task].least, allowed_[task].most);
    }
    /// The least allotment with which the task takes at most `time`; processors() + 1: there is
    /// none.
    std::uint32_t allotment_within(std::size_t task, double time) const;

    /// Of the instance; found when first asked for.
    const engine::DualApproximation& dual() const;

    /// No schedule of the tasks takes less time, not by rounding either, whenever it begins: the
    /// lower bound of dual(), less clock_rounding().
    double makespan_bound() const;
    /// How much earlier than exact sums a task may end from begin() on because the clock counts
    /// from another 0 and rounds accordingly; beside what bounds of the instance allow for, which
    /// is all if begin() is 0.
    double clock_rounding() const;

  private:
    struct Allotments {
        std::uint32_t least = 1;
        std::uint32_t most = 1;
    };

    engine::MoldableTask task_of(const engine::Job& job, std::uint32_t processors);
    double begin_;
    std::vector<Allotments> allowed_;
    std::vector<std::unique_ptr<std::vector<double>>> filled_;  // times that jobs do not have
    std::optional<engine::MoldableInstance> instance_;
    mutable std::optional<engine::DualApproximation> dual_;
};

}  // namespace schedfarm::policies
