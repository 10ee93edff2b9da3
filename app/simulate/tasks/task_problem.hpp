// The off-line problem of a table of tasks beside its reservations, as policies for moldable jobs
// have it: for bounds and searches that go without a simulation.
#pragma once

#include <deque>

#include "engine/planning/profile/availability_profile.hpp"
#include "engine/simulation/job.hpp"

#include "policies/moldable/moldable_problem.hpp"

#include "app/simulate/tasks/task_table.hpp"

namespace schedfarm::app {

class TaskProblem {
  public:
    /// REQUIRES: a table with times for that many processors; it must stay where it is.
    TaskProblem(const TaskTable& table, std::uint32_t processors);
    TaskProblem(const TaskProblem&) = delete;
    TaskProblem& operator=(const TaskProblem&) = delete;

    const policies::MoldableProblem& operator*() const { return *problem_; }
    const policies::MoldableProblem* operator->() const { return &*problem_; }

  private:
    std::deque<engine::MoldableTimes> times_;
    std::deque<engine::Job> jobs_;
    engine::AvailabilityProfile free_;
    std::optional<policies::MoldableProblem> problem_;
};

}  // namespace schedfarm::app
