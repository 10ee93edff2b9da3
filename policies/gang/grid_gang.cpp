#include "policies/gang/grid_gang.hpp"

#include <algorithm>

namespace schedfarm::policies {

using namespace engine;  // NOLINT(google-build-using-namespace)

GridGang::GridGang(const GangSettings& settings, const BuddyTrees& trees)
    : refills_(settings.mid_slice == MidSlice::refill), trees_(trees), grid_(settings, trees) {}

void GridGang::react(const EventBatch& events, Actions& actions) {
    take_events(events, actions);
    if (!events.timers.empty()) {
        end_slice(actions);
    }
    if (jobs_ == 0) {
        return;
    }
    if (!events.timers.empty()) {
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
        fill(actions);
    }
}

void GridGang::take_events(const EventBatch& events, Actions& actions) {
    for (const JobId id : events.completions) {
        const auto one = std::find_if(running_.begin(), running_.end(), [id](const Running& job) {
            return job.id == id;
        });
        complete(id, one->at, actions);
        running_.erase(one);
        --jobs_;
    }
    for (const JobId id : events.arrivals) {
        const Job& job = actions.job(id);
        const std::uint32_t job_class = gang_class(job, trees_);
        grid_.arrive(job.submit_time, job.service_time, job_class);
        arrive(id, job_class);
        ++jobs_;
    }
}

void GridGang::end_slice(Actions& actions) {
    is_timed_ = false;
    for (const Running& job : running_) {
        actions.suspend(job.id);
        vacate(job.at);
    }
    running_.clear();
}

void GridGang::begin_slice(Actions& actions) {
    begin(actions);
    fill(actions);
    set_timer(actions);
}

void GridGang::set_timer(Actions& actions) {
    actions.set_timer(grid_.end(), Timer{});
    is_timed_ = true;
}

void GridGang::run(JobId id, TreeNode at, Actions& actions) {
    const ProcessorId first{at.node * trees_.node_size(at.node_class)};
    const ProcessorRange range{first, actions.job(id).size};
    const double spent = actions.now() - grid_.start();
    if (spent < grid_.cost_s()) {
        actions.delay(id, grid_.cost_s() - spent);
    }
    actions.start_on(id, {&range, 1});
    running_.push_back({id, at});
}

}  // namespace schedfarm::policies
