// What the policies share that keep reservations: the jobs that run with their planned ends, the
// profile of what is planned, starts and the alarm for the next reservation.
//
// A job that still runs at its planned end counts as free in the profile. While an early finish of
// the instant is yet to be taken (planning_options.hpp), its processors count as busy.
//
// After an early finish the reservations are compressed job by job: each is given up for the
// earliest fit if that is earlier.
//
// Cost: a start and a finish that of a change of the profile; show_running O(running jobs) changes;
// compress a fit for each job, by eight at a time, those behind one that moves anew, and a change
// of the profile for each that moves.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/planning/availability_profile.hpp"
#include "engine/planning/placement.hpp"
#include "engine/simulation/actions.hpp"
#include "engine/simulation/policy.hpp"

namespace schedfarm::policies {

class RunningPlan {
  public:
    static constexpr double never = engine::AvailabilityProfile::never;

    RunningPlan(engine::PlacementRule placement, std::uint32_t processors)
        : profile_(processors), placer_(placement) {}

    /// Of an instant, ahead of all that follows.
    void begin(const engine::EventBatch& events, engine::Actions& actions);
    /// Takes a finish.
    void finish(engine::JobId id);

    /// A job that waits, as planned.
    struct Request {
        engine::JobId id;
        std::uint32_t size = 0;
        double duration = 0;
    };
    /// Starts the job unless processors are lacking or its components do not fit. The profile is
    /// left as it is.
    bool start(const Request& job);

    /// Whether a job finished before its planned end since the last compress or show_running.
    bool was_freed() const { return freed_by_finishes_ > -never; }
    /// Something that was reserved up to `end` was given up otherwise than by compress.
    void give_up_until(double end) { freed_by_moves_ = std::max(freed_by_moves_, end); }
    /// Whether one of the jobs could move ahead, as compress would have it.
    template <typename Jobs>
    bool is_loose(const Jobs& jobs);
    /// Moves the reservations of those jobs ahead, in their order, of which may_move(job);
    /// moved(job) tells. A job has a start, never if it has no place, a duration and a size.
    template <typename Jobs, typename Predicate, typename Function>
    void compress(Jobs& jobs, Predicate may_move, Function moved);

    /// Less what runs and what is reserved.
    engine::AvailabilityProfile& profile() { return profile_; }
    /// Makes the profile anew of what runs.
    void show_running();
    /// Has the policy called at `time`, and at no other; never: not at all.
    void set_alarm(double time);

    engine::Actions& actions() const { return *actions_; }
    double now() const { return now_; }
    std::int64_t free() const { return free_; }

  private:
    template <typename Jobs, typename Predicate>
    void find_wanted(const Jobs& jobs, Predicate may_move);
    /// Gives the job its place. Returns when the last of what it gives up would have ended.
    template <typename Waiting>
    double move_ahead(const Waiting& job, double start);

    struct Running {
        double end = 0;          // as planned
        std::uint32_t size = 0;  // 0: does not run
    };
    static constexpr engine::Timer alarm{1};

    engine::AvailabilityProfile profile_;
    engine::Placer placer_;
    std::vector<Running> running_;  // by slot of the job
    double alarm_time_ = never;
    // Up to when processors were freed: by early finishes since the last compress, and by
    // reservations given up since each job was looked at.
    double freed_by_finishes_ = -never;
    double freed_by_moves_ = -never;
    engine::StepWindows wanted_;       // by jobs that might move ahead
    std::vector<std::size_t> places_;  // of these jobs

    // Of the batch being taken.
    engine::Actions* actions_ = nullptr;
    double now_ = 0;
    std::int64_t free_ = 0;  // less the processors of finishes yet to be taken that came early
};

// A job can move ahead only to a time before the last that was freed since it was looked at: by an
// early finish, or by moves of others, those of the last compression included.
template <typename Jobs, typename Predicate, typename Function>
void RunningPlan::compress(Jobs& jobs, Predicate may_move, Function moved) {
    wanted_.before = std::max(freed_by_finishes_, freed_by_moves_);
    freed_by_finishes_ = -never;
    freed_by_moves_ = -never;
    find_wanted(jobs, may_move);
    std::size_t next = 0;
    for (;;) {
        const auto found = profile_.first_earlier(wanted_, next);
        if (found.begin == never) {
            return;
        }
        auto& job = jobs[places_[found.index]];
        const double freed = move_ahead(job, found.begin);
        freed_by_moves_ = std::max(freed_by_moves_, freed);
        wanted_.before = std::max(wanted_.before, freed);
        job.start = found.begin;
        moved(job);
        next = found.index + 1;
    }
}

template <typename Jobs, typename Predicate>
void RunningPlan::find_wanted(const Jobs& jobs, Predicate may_move) {
    wanted_.from = now_;
    wanted_.clear(jobs.size());
    places_.resize(jobs.size());
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        const auto& job = jobs[i];
        if (job.start > now_ && may_move(job)) {
            places_[wanted_.size()] = i;
            wanted_.add(static_cast<std::int32_t>(job.size), job.duration, job.start);
        }
    }
}

template <typename Waiting>
double RunningPlan::move_ahead(const Waiting& job, double start) {
    const double end = engine::planned_end(start, job.duration);
    if (job.start == never) {
        profile_.reserve(start, end, job.size);
        return -never;
    }
    const double old_end = engine::planned_end(job.start, job.duration);
    profile_.move_ahead({start, end, job.start, old_end}, job.size);
    return old_end;
}

// Where none can, nothing freed is left to be looked at.
template <typename Jobs>
bool RunningPlan::is_loose(const Jobs& jobs) {
    if (freed_by_moves_ <= now_) {
        return false;
    }
    wanted_.before = freed_by_moves_;
    find_wanted(jobs, [](const auto& /*job*/) { return true; });
    const bool found = profile_.first_earlier(wanted_, 0).begin < never;
    if (!found) {
        freed_by_moves_ = -never;
    }
    return found;
}

}  // namespace schedfarm::policies
