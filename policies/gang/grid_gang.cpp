#include "policies/gang/grid_gang.hpp"

#include <algorithm>

namespace schedfarm::policies {

using namespace engine;  // NOLINT(google-build-using-namespace)

GridGang::GridGang(const GangSettings& settings, const BuddyTrees& trees)
    : refills_(settings.mid_slice == MidSlice::refill), trees_(trees), grid_(settings, trees) {}

void GridGang::react(const EventBatch& events, Actions& actions) {
    take_events(events, actions);
    change_.clear();
    decide(!events.timers.empty(), actions);
    actions.carry_out(change_);
}

void GridGang::decide(bool slice_is_over, Actions& actions) {
    if (slice_is_over) {
        end_slice();
    }
    if (jobs_ == 0) {
        return;
    }
    if (slice_is_over) {
        grid_.next();
        begin_slice(actions);
    } else if (!is_timed_) {
        grid_.go_to(actions.now());
        if (refills_ || grid_.start() == actions.now()) {
            begin_slice(actions);
        } else {
            set_timer(actions);
        }
    } else if (refills_) {
        refill(actions.now());
    }
}

void GridGang::take_events(const EventBatch& events, const Actions& actions) {
    for (const JobId id : events.completions) {
        const auto one = std::find_if(running_.begin(), running_.end(), [id](const Running& job) {
            return job.id == id;
        });
        complete(id, one->at);
        running_.erase(one);
        --jobs_;
    }
    for (const JobId id : events.arrivals) {
        const Job& job = actions.job(id);
        const std::uint32_t job_class = gang_class(job, trees_);
        grid_.arrive(job.submit_time, job.service_time, job_class);
        arrive(id, job.size, job_class);
        ++jobs_;
    }
}

void GridGang::end_slice() {
    is_timed_ = false;
    for (const Running& job : running_) {
        change_.suspend(job.id);
    }
    running_.clear();
}

void GridGang::begin_slice(Actions& actions) {
    begin(actions.now());
    const ProcessorRange all{ProcessorId{0}, trees_.processors()};
    announce_slice(actions, grid_.row_class(), all, grid_.end());
    refill(actions.now());
    set_timer(actions);
}

void GridGang::refill(double now) {
    delay_ = std::max(0.0, grid_.cost_s() - (now - grid_.start()));
    fill();
}

void GridGang::set_timer(Actions& actions) {
    actions.set_timer(grid_.end(), Timer{});
    is_timed_ = true;
}

}  // namespace schedfarm::policies
