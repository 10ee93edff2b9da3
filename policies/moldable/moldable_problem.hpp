// The off-line problem that a policy for moldable jobs has to solve whenever the machine is empty:
// all jobs that wait, on all processors. Rigid jobs may be among them; they have one allotment. For
// everybody who asks for times on fewer processors a rigid job is as fast as its area allows, so
// that bounds of such an instance hold for the mix.
//
// Advance reservations may take processors of it for some time. The instance and its dual
// approximation know nothing of them: on all processors at all times a schedule only ends earlier,
// so that their bounds hold for schedules around reservations. Those that know them are
// makespan_bound() and the linear programs on reduced_machine().
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/optimization/dual_approximation.hpp"
#include "engine/optimization/minsum_bound.hpp"
#include "engine/optimization/moldable_instance.hpp"
#include "engine/planning/profile/availability_profile.hpp"
#include "engine/simulation/job.hpp"

namespace schedfarm::policies {

class MoldableProblem {
  public:
    /// REQUIRES: at least one job; all have positive finite times. Jobs are looked at only here,
    /// but the times of moldable ones must stay where they are. `free`: processors without those of
    /// reservations, from `begin` on, where jobs may be reservations; it must stay where it is.
    MoldableProblem(
        std::uint32_t processors,
        const std::vector<const engine::Job*>& jobs,
        double begin,
        const engine::AvailabilityProfile* free = nullptr
    );

    const engine::MoldableInstance& instance() const { return *instance_; }
    std::uint32_t processors() const { return instance_->processors(); }
    std::size_t size() const { return instance_->size(); }
    /// When the machine is free for these jobs.
    double begin() const { return begin_; }

    /// Null: all processors at all times.
    const engine::AvailabilityProfile* free() const { return free_; }
    /// Whether any processors are reserved at any time.
    bool is_reduced() const { return free_ != nullptr && free_->stretches() > 1; }
    /// The number of processors free at begin() + after <= t < begin() + before, on average,
    /// rounded down; all of them where all are free throughout. REQUIRES: after < before.
    std::uint32_t mean_free(double after, double before) const;

    /// The allotment next to `count` that the task can have.
    std::uint32_t allotment(std::size_t task, std::uint32_t count) const {
        return std::clamp(count, allowed_[task].least, allowed_[task].most);
    }
    /// The least allotment with which the task takes at most `time`; processors() + 1: there is
    /// none.
    std::uint32_t allotment_within(std::size_t task, double time) const;

    /// Of the instance; found when first asked for.
    const engine::DualApproximation& dual() const;

    /// No schedule of the tasks takes less time, not by rounding either, whenever it begins and
    /// whatever is reserved: the lower bound of dual(), less clock_rounding().
    double unreserved_bound() const;
    /// No schedule of the tasks from begin() on is over in less time: unreserved_bound(), and
    /// around reservations the end of every task alone and the time until free processors have
    /// room for the least work of all tasks; that costs O(n m log reservations).
    double makespan_bound() const;
    /// λ*, or what makespan_bound() is made of where reservations make that the greater: what a
    /// schedule may aim at.
    double makespan_target() const;
    /// What reservations leave, from begin() on, for programs of minsum; absent: all. Asks the
    /// profile, which must stay where it is. Cost: O(n m log reservations).
    std::optional<engine::ReducedMachine> reduced_machine() const;
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
    double reduced_makespan() const;
    double least_end(std::size_t task) const;
    double reduced_rounding(double after) const;
    double least_work() const;

    double begin_;
    const engine::AvailabilityProfile* free_;
    std::vector<Allotments> allowed_;
    std::vector<std::unique_ptr<std::vector<double>>> filled_;  // times that jobs do not have
    std::optional<engine::MoldableInstance> instance_;
    mutable std::optional<engine::DualApproximation> dual_;
    mutable double reduced_makespan_ = -1;  // negative: not yet found
};

}  // namespace schedfarm::policies
