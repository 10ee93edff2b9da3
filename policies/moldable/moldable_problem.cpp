#include "policies/moldable/moldable_problem.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace schedfarm::policies {

using engine::Job;
using engine::MoldableTask;

MoldableProblem::MoldableProblem(
    std::uint32_t processors, const std::vector<const Job*>& jobs, double begin
)
    : begin_(begin) {
    std::vector<MoldableTask> tasks;
    tasks.reserve(jobs.size());
    for (const Job* job : jobs) {
        tasks.push_back(task_of(*job, processors));
    }
    instance_.emplace(processors, std::move(tasks));
}

MoldableTask MoldableProblem::task_of(const Job& job, std::uint32_t processors) {
    if (job.moldable != nullptr && job.moldable->times.size() >= processors) {
        allowed_.push_back({1, processors});
        return {job.moldable->times, job.weight};
    }
    auto times = std::make_unique<std::vector<double>>();
    if (job.moldable != nullptr) {
        times->assign(job.moldable->times.begin(), job.moldable->times.end());
        allowed_.push_back({1, static_cast<std::uint32_t>(times->size())});
    } else {
        for (std::uint32_t k = 1; k <= job.size; ++k) {
            times->push_back(job.service_time * (static_cast<double>(job.size) / k));
        }
        allowed_.push_back({job.size, job.size});
    }
    times->resize(processors, times->back());
    filled_.push_back(std::move(times));
    return {*filled_.back(), job.weight};
}

std::uint32_t MoldableProblem::allotment_within(std::size_t task, double time) const {
    const std::uint32_t count = instance_->least_processors(task, time);
    return count > allowed_[task].most ? processors() + 1 : std::max(count, allowed_[task].least);
}

const engine::DualApproximation& MoldableProblem::dual() const {
    if (!dual_) {
        dual_ = dual_approximation(*instance_);
    }
    return *dual_;
}

double MoldableProblem::makespan_bound() const {
    return std::max(0.0, dual().lower_bound - clock_rounding());
}

/// Each of at most n ends, one after the other, and a few operations more lose half a unit in the
/// last place of what the clock shows.
double MoldableProblem::clock_rounding() const {
    const double operations = static_cast<double>(size() + 4);
    return begin_ == 0 ? 0
                       : operations * std::numeric_limits<double>::epsilon()
                             * (begin_ + dual().lower_bound);
}

}  // namespace schedfarm::policies
