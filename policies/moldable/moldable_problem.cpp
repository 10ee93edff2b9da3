#include "policies/moldable/moldable_problem.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace schedfarm::policies {

using engine::Job;
using engine::MoldableTask;

MoldableProblem::MoldableProblem(
    std::uint32_t processors,
    const std::vector<const Job*>& jobs,
    double begin,
    const engine::AvailabilityProfile* free
)
    : begin_(begin), free_(free) {
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

std::uint32_t MoldableProblem::mean_free(double after, double before) const {
    if (!is_reduced() || free_->is_free(begin_ + after, begin_ + before, processors())) {
        return processors();
    }
    const double length = before - after;
    const double mean = free_->area(begin_ + after, begin_ + before) / length;
    // As much as sums of areas can be rounded down, which a whole number must not be.
    return static_cast<std::uint32_t>(std::min<double>(mean + 1e-9, processors()));
}

double MoldableProblem::unreserved_bound() const {
    return std::max(0.0, dual().lower_bound - clock_rounding());
}

double MoldableProblem::makespan_bound() const {
    if (!is_reduced()) {
        return unreserved_bound();
    }
    const double reduced = reduced_makespan();
    return std::max(unreserved_bound(), reduced - reduced_rounding(reduced));
}

/// More than sums and divisions can round up from begin() until so much later.
double MoldableProblem::reduced_rounding(double after) const {
    const auto roundings = static_cast<double>(size() + free_->stretches() + 8);
    return roundings * std::numeric_limits<double>::epsilon() * (begin_ + after);
}

std::optional<engine::ReducedMachine> MoldableProblem::reduced_machine() const {
    if (!is_reduced()) {
        return std::nullopt;
    }
    engine::ReducedMachine result;
    result.room = [this](double time) {
        return free_->area(begin_, begin_ + time) + processors() * reduced_rounding(time);
    };
    for (std::size_t task = 0; task < size(); ++task) {
        const double least = least_end(task) - begin_;
        result.least_ends.push_back(least - reduced_rounding(least));
    }
    return result;
}

double MoldableProblem::makespan_target() const {
    return is_reduced() ? std::max(dual().lambda, reduced_makespan()) : dual().lambda;
}

double MoldableProblem::reduced_makespan() const {
    if (reduced_makespan_ < 0) {
        double end = free_->time_of_area(begin_, least_work());
        for (std::size_t task = 0; task < size(); ++task) {
            end = std::max(end, least_end(task));
        }
        reduced_makespan_ = end - begin_;
    }
    return reduced_makespan_;
}

/// Of the task alone beside the reservations.
double MoldableProblem::least_end(std::size_t task) const {
    double least = engine::AvailabilityProfile::never;
    for (std::uint32_t k = allowed_[task].least; k <= allowed_[task].most; ++k) {
        const double time = instance_->time(task, k);
        if (begin_ + time < least) {
            least = std::min(least, free_->earliest_fit(k, time, begin_) + time);
        }
    }
    return least;
}

double MoldableProblem::least_work() const {
    double work = 0;
    for (std::size_t task = 0; task < size(); ++task) {
        double least = instance_->area(task, 1);
        for (std::uint32_t k = 2; k <= processors(); ++k) {
            least = std::min(least, instance_->area(task, k));
        }
        work += least;
    }
    return work;
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
