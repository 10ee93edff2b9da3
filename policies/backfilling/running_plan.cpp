#include "policies/backfilling/running_plan.hpp"

#include <fmt/format.h>

#include "engine/simulation/kernel/unserved_job.hpp"
#include "engine/simulation/measurement/published_columns.hpp"

namespace schedfarm::policies {

using namespace engine;  // NOLINT(google-build-using-namespace)

void RunningPlan::begin(const EventBatch& events, Actions& actions) {
    actions_ = &actions;
    now_ = actions.now();
    profile_.forget_before(now_);
    free_ = actions.machine().free_processors();
    for (const CapacityChange& change : events.capacity_changes) {
        out_ += change.kind == CapacityChange::Kind::down ? change.count : -change.count;
    }
    outages_.forget_before(now_);
    for (const JobId id : events.completions) {
        Running& job = running_[id.value];
        free_ -= job.end > now_ ? job.size : 0;
        job.size = job.end > now_ ? job.size : 0;
    }
}

std::uint32_t RunningPlan::unplanned_out() const {
    return out_ - std::min(out_, outages_.processors_out(now_));
}

void RunningPlan::reserve_outage(const Outage& outage) {
    const double begin = std::max(outage.from, now_);
    if (begin < outage.until) {
        profile_.reserve(begin, outage.until, outage.count);
    }
}

void RunningPlan::look_ahead(double time) {
    outages_.know_until(time, [this](const Outage& outage) { reserve_outage(outage); });
}

double RunningPlan::earliest_fit(const Request& job) {
    constexpr int most_outages = 1000;  // without room for the job between them
    for (int tries = 0; tries < most_outages; ++tries) {
        const double start = profile_.earliest_fit(job.size, job.duration, now_);
        const double end = start < never ? planned_end(start, job.duration) : -never;
        if (end <= outages_.known_until()) {
            return start;
        }
        look_ahead(end);
    }
    throw UnservedJobError(fmt::format(
        "job {} asks for {} processors for {}, which no time between planned outages is as long as "
        "(it could never start). Leave such jobs out, or have the outages come less often?",
        actions_->job(job.id).index,
        job.size,
        job.duration
    ));
}

void RunningPlan::finish(JobId id) {
    Running& job = running_[id.value];
    if (job.size > 0) {
        profile_.release(now_, job.end, job.size);
        freed_by_finishes_ = std::max(freed_by_finishes_, job.end);
        free_ += job.size;
        job.size = 0;
    }
}

bool RunningPlan::book(const Request& job, double start) {
    const double end = planned_end(start, job.duration);
    look_ahead(end);
    if (start < now_ || !profile_.is_free(start, end, job.size)) {
        actions_->publish_of(job.id, reservations_refused, 1);
        return false;
    }
    profile_.reserve(start, end, job.size);
    actions_->promise(job.id, {.earliest = start, .latest = start});
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
    actions_->start(job.id, shares);
    if (job.id.value >= running_.size()) {
        running_.resize(job.id.value + std::size_t{1});
    }
    running_[job.id.value] = {planned_end(now_, job.duration), job.size};
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

// Where none can, nothing freed is left to be looked at.
bool RunningPlan::is_loose(StepWindows& jobs) {
    jobs.from = now_;
    jobs.before = freed_by_moves_;
    const bool found = profile_.first_earlier(jobs, 0).begin < never;
    if (!found) {
        freed_by_moves_ = -never;
    }
    return found;
}

void RunningPlan::show_running() {
    freed_by_finishes_ = -never;
    freed_by_moves_ = -never;
    unplanned_out_ = unplanned_out();
    profile_.reset(static_cast<std::int32_t>(processors_ - unplanned_out_));
    for (const Outage& outage : outages_.known()) {
        reserve_outage(outage);
    }
    for (const Running& job : running_) {
        if (job.size > 0 && job.end > now_) {
            profile_.reserve(now_, job.end, job.size);
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
