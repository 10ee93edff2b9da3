#include "tests/policies/gang/verifiers/grid_gang_verifier.hpp"

#include <fmt/format.h>

namespace schedfarm::tests {

using engine::ScheduleStep;
using policies::MidSlice;

GridGangVerifier::GridGangVerifier(
    const policies::GangSettings& settings, const engine::BuddyTrees& trees
)
    : GangVerifier(trees)
    , refills_(settings.mid_slice == MidSlice::refill)
    , grid_(settings, trees) {}

void GridGangVerifier::end_of_instant(double time) {
    walk_to(time);
    if (due_ < time) {
        throw engine::ScheduleError(fmt::format("the time slice at {} was left out", due_));
    }
    const bool begins = grid_.start() == time && checked_ != time;
    checked_ = time;
    check(time, begins ? Moment::slice_begins : Moment::within_slice);
    due_ = present().empty() ? never : grid_.end();
}

void GridGangVerifier::arrive(const ScheduleStep& step, const Watched& job) {
    grid_.arrive(step.job->submit_time, step.job->service_time, job.job_class);
}

double GridGangVerifier::expect_start(const ScheduleStep& step, const Watched& before) {
    walk_to(step.time);
    const double spent = step.time - grid_.start();
    expect(spent == 0 || refills_, step.time, before.index, "starts in the middle of a slice");
    return spent;
}

// A step comes before the end of its instant: the slice is still the one that it ends in.
void GridGangVerifier::end(const ScheduleStep& step, const Watched& job) {
    const bool is_suspended = step.kind == ScheduleStep::Kind::suspend;
    const bool is_inside = is_suspended ? step.time == grid_.end() : step.time <= grid_.end();
    const bool is_whole = job.since >= grid_.start();
    expect(is_inside && is_whole, step.time, job.index, "crosses or leaves a slice");
}

void GridGangVerifier::walk_to(double time) {
    while (grid_.end() <= time) {
        grid_.next();
        enter_slice();
    }
}

}  // namespace schedfarm::tests
