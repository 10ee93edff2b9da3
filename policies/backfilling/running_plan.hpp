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
// compress at most a fit for each job and two changes for each that moves.
#pragma once

#include <algorithm>
#include <cstdint>
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
    bool was_freed() const { return freed_until_ > -never; }
    /// Something that was reserved up to `end` was given up otherwise than by compress.
    void give_up_until(double end) { moves_freed_until_ = std::max(moves_freed_until_, end); }
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
    template <typename Waiting>
    double earlier_fit(const Waiting& job, double before) const {
        return profile_.earlier_fit(
            {.processors = job.size, .duration = job.duration, .reserved = job.start}, now_, before
        );
    }

    struct Running {
        double end = 0;          // as planned
        std::uint32_t size = 0;  // 0: does not run
    };
    static constexpr engine::Timer alarm{1};

    engine::AvailabilityProfile profile_;
    engine::Placer placer_;
    std::vector<Running> running_;  // by slot of the job
    double alarm_time_ = never;
    double freed_until_ = -never;  // by early finishes since the last compress; −never: none
    double moves_freed_until_ = -never;  // by reservations given up that were not looked at since

    // Of the batch being taken.
    engine::Actions* actions_ = nullptr;
    double now_ = 0;
    std::int64_t free_ = 0;  // less the processors of finishes yet to be taken that came early
};

// A job can move ahead only to a time before the last that was freed since it was looked at: by an
// early finish, or by moves of others, those of the last compression included.
template <typename Jobs, typename Predicate, typename Function>
void RunningPlan::compress(Jobs& jobs, Predicate may_move, Function moved) {
    double freed_until = std::max(freed_until_, moves_freed_until_);
    freed_until_ = -never;
    moves_freed_until_ = -never;
    for (auto& job : jobs) {
        if (job.start <= now_ || !may_move(job)) {
            continue;
        }
        const double start = earlier_fit(job, freed_until);
        if (start >= job.start) {
            continue;
        }
        const double end = engine::planned_end(start, job.duration);
        if (job.start < never) {
            const double old_end = engine::planned_end(job.start, job.duration);
            profile_.move_ahead({start, end, job.start, old_end}, job.size);
            give_up_until(old_end);
            freed_until = std::max(freed_until, old_end);
        } else {
            profile_.reserve(start, end, job.size);
        }
        job.start = start;
        moved(job);
    }
}

// Where none can, nothing freed is left to be looked at.
template <typename Jobs>
bool RunningPlan::is_loose(const Jobs& jobs) {
    const double freed_until = moves_freed_until_;
    if (freed_until <= now_) {
        return false;
    }
    const bool found = std::any_of(jobs.begin(), jobs.end(), [&](const auto& job) {
        return job.start > now_ && earlier_fit(job, freed_until) < job.start;
    });
    moves_freed_until_ = found ? freed_until : -never;
    return found;
}

}  // namespace schedfarm::policies
