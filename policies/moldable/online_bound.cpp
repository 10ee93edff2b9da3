#include "policies/moldable/online_bound.hpp"

#include <algorithm>
#include <limits>

namespace schedfarm::policies {

namespace {

/// What an end and differences of times may lose when the clock shows `now` before; at 0 it is
/// exact.
double clock_rounding(double now, double least) {
    return now == 0 ? 0 : 4 * std::numeric_limits<double>::epsilon() * (now + least);
}

double least_time(const engine::Job& job, std::size_t processors) {
    if (job.moldable == nullptr) {
        return job.service_time;
    }
    const auto& times = job.moldable->times;
    return times[std::min(times.size(), processors) - 1];
}

}  // namespace

void OnlineBound::arrive(const engine::Job& job, const engine::Actions& actions) {
    const double least = least_time(job, actions.machine().processors());
    if (least == 0) {
        return;  // it takes part in no batch
    }
    origin_ = origin_ < 0 ? actions.now() : origin_;
    const double arrival = actions.now() - origin_;
    if (is_nobody_there_) {
        is_nobody_there_ = false;
        first_arrival_ = arrival;
    }
    bound_ = std::max(bound_, arrival + least - clock_rounding(actions.now(), least));
}

void OnlineBound::begin_batch(const MoldableProblem& problem) {
    is_nobody_there_ = true;
    bound_ = std::max(bound_, first_arrival_ + problem.makespan_bound());
    batch_bound_ = bound_;
}

void OnlineBound::end_batch(engine::Actions& actions) {
    if (batch_bound_ == 0) {
        return;
    }
    const double ratio = std::max(ratio_, (actions.now() - origin_) / batch_bound_);
    actions.announce({engine::Observation{"offline_bound", batch_bound_ - published_bound_}});
    actions.announce({engine::Observation{"offline_ratio", ratio - ratio_}});
    published_bound_ = batch_bound_;
    ratio_ = ratio;
    batch_bound_ = 0;
}

std::vector<engine::ObservationColumn> online_bound_columns() {
    return {
        {"offline_bound",
         "time",
         "Lower bound of the end of the jobs of all batches that ended, from the first arrival on, "
         "knowing all arrivals."},
        {"offline_ratio", "1", "Greatest end of a batch / offline_bound of the jobs up to it."}};
}

}  // namespace schedfarm::policies
