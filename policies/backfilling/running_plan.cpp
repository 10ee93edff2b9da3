#include "policies/backfilling/running_plan.hpp"

#include <optional>

#include <fmt/format.h>

#include "engine/simulation/kernel/unserved_job.hpp"
#include "engine/simulation/measurement/published_columns.hpp"

namespace schedfarm::policies {

using namespace engine;  // NOLINT(google-build-using-namespace)

namespace {

/// The first time from `now` on at which the job fits the profile, which comes to hold the planned
/// outages up to its end; nothing if there is none between a thousand of them.
std::optional<double> fit_between(
    AvailabilityProfile& profile,
    OutageForecast& outages,
    const RunningPlan::Request& job,
    double now
) {
    constexpr std::size_t most = 1000;
    for (std::size_t tries = 0; tries < most; ++tries) {
        const double start = profile.earliest_fit(job.size, job.duration, now);
        const double end = start < AvailabilityProfile::never ? planned_end(start, job.duration)
                                                              : -AvailabilityProfile::never;
        if (end <= outages.known_until()) {
            return start;
        }
        // The plan is made anew while something is out unplanned, and must not grow each time.
        if (outages.has_unplanned() && outages.known_steps() > most) {
            break;
        }
        outages.look_ahead(end, profile);
    }
    return std::nullopt;
}

}  // namespace

void RunningPlan::begin(const EventBatch& events, Actions& actions) {
    actions_ = &actions;
    now_ = actions.now();
    profile_.forget_before(now_);
    free_ = actions.machine().free_processors();
    outages_.begin(now_, events.capacity_changes);
    for (const JobId id : events.completions) {
        Running& job = running_[id.value];
        if (job.end > now_) {
            free_ -= in_order(job);
        } else {
            job.size = 0;
        }
    }
}

void RunningPlan::look_ahead(double time) {
    outages_.look_ahead(time, profile_);
}

double RunningPlan::earliest_fit(const Request& job) {
    if (const auto start = fit_between(profile_, outages_, job, now_)) {
        return *start;
    }
    AvailabilityProfile alone(processors_);
    OutageForecast planned = outages_.as_planned();
    planned.restart(alone);
    if (outages_.has_unplanned() && fit_between(alone, planned, job, now_)) {
        return never;
    }
    const Job& asked = actions_->job(job.id);
    throw UnservedJobError(fmt::format(
        "job {} (counted from 0, submitted at {}) asks for {} processors for {}, which no time "
        "between planned outages is as long as (it could never start). Leave such jobs out, or "
        "have the outages come less often.",
        asked.index,
        asked.submit_time,
        job.size,
        job.duration
    ));
}

void RunningPlan::finish(JobId id) {
    Running& job = running_[id.value];
    if (job.size > 0) {
        profile_.release(now_, job.end, job.size);
        outages_.reserve_out(job.processors, job.end, profile_);
        freed_by_finishes_ = std::max(freed_by_finishes_, job.end);
        free_ += in_order(job);
        job.size = 0;
    }
}

bool RunningPlan::book(const Request& job, double start) {
    const double end = planned_end(start, job.duration);
    look_ahead(end);
    if (start < now_ || !profile_.is_free(start, end, job.size)) {
        actions_->announce({engine::Observation{reservations_refused, 1}, job.id});
        return false;
    }
    profile_.reserve(start, end, job.size);
    actions_->announce({engine::Promise{.earliest = start, .latest = start}, job.id});
    return true;
}

bool RunningPlan::start(const Request& job) {
    if (job.size > free_) {
        return false;
    }
    const auto shares = placer_.place(actions_->job(job.id), actions_->machine().free_by_cluster());
    if (shares.empty()) {
        return false;
    }
    if (job.id.value >= running_.size()) {
        running_.resize(job.id.value + std::size_t{1});
    }
    Running& started = running_[job.id.value];
    started.end = planned_end(now_, job.duration);
    started.size = job.size;
    if (outages_.empty()) {
        actions_->start(job.id, shares);
    } else {
        outages_.name_free(actions_->machine(), shares, started.end, started.processors);
        actions_->start_on(job.id, started.processors);
        give_up_until(outages_.release_out(started.processors, started.end, profile_));
    }
    free_ -= job.size;
    return true;
}

double RunningPlan::move_ahead(const StepWindow& job, double start) {
    const auto size = static_cast<std::uint32_t>(job.level);
    const double end = planned_end(start, job.duration);
    if (job.until == never) {
        profile_.reserve(start, end, size);
        return -never;
    }
    const double old_end = planned_end(job.until, job.duration);
    profile_.move_ahead({start, end, job.until, old_end}, size);
    return old_end;
}

void RunningPlan::show_running() {
    freed_by_finishes_ = -never;
    freed_by_moves_ = -never;
    outages_.restart(profile_);
    for (const Running& job : running_) {
        if (job.size > 0 && job.end > now_) {
            profile_.reserve(now_, job.end, job.size);
            outages_.release_out(job.processors, job.end, profile_);
        }
    }
}

void RunningPlan::set_alarm(double time) {
    if (time == alarm_time_) {
        return;
    }
    if (alarm_time_ > now_ && alarm_time_ < never) {
        actions_->cancel_timer(alarm);
    }
    if (time < never) {
        actions_->set_timer(time, alarm);
    }
    alarm_time_ = time;
}

}  // namespace schedfarm::policies
