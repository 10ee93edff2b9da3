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
    bool was_freed() const { return by_finishes_.until > -never; }
    /// Something that was reserved up to `end` was given up otherwise than by compress.
    void give_up_until(double end) { by_moves_.add({-never, end}); }
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

    /// Where processors were freed: at from <= t < until at most.
    struct Freed {
        double from = never;
        double until = -never;

        void add(const Freed& other) {
            from = std::min(from, other.from);
            until = std::max(until, other.until);
        }
        bool has_before(double time) const { return (from < time) & (time <= until); }
    };

    /// Gives the job its place.
    template <typename Waiting>
    Freed move_ahead(const Waiting& job, double start);

    struct Running {
        double end = 0;          // as planned
        std::uint32_t size = 0;  // 0: does not run
    };
    static constexpr engine::Timer alarm{1};

    engine::AvailabilityProfile profile_;
    engine::Placer placer_;
    std::vector<Running> running_;  // by slot of the job
    double alarm_time_ = never;
    Freed by_finishes_;  // that came early, since the last compress
    Freed by_moves_;     // by reservations given up, since each job was looked at

    // Of the batch being taken.
    engine::Actions* actions_ = nullptr;
    double now_ = 0;
    std::int64_t free_ = 0;  // less the processors of finishes yet to be taken that came early
};

// A job can move ahead only to a time before the last that was freed since it was looked at: by an
// early finish, or by moves of others, those of the last compression included. When it was looked
// at it lacked processors just before its start: what could not end before that even if it began
// now can only move if some were freed there.
template <typename Jobs, typename Predicate, typename Function>
void RunningPlan::compress(Jobs& jobs, Predicate may_move, Function moved) {
    const Freed by_finishes = std::exchange(by_finishes_, {});
    Freed by_moves = std::exchange(by_moves_, {});
    for (auto& job : jobs) {
        if (job.start <= now_ || !may_move(job)) {
            continue;
        }
        const bool reaches_start = now_ + job.duration >= job.start;
        if (reaches_start & !by_finishes.has_before(job.start) & !by_moves.has_before(job.start)) {
            continue;
        }
        const double start = earlier_fit(job, std::max(by_finishes.until, by_moves.until));
        if (start < job.start) {
            const Freed freed = move_ahead(job, start);
            by_moves.add(freed);
            by_moves_.add(freed);
            job.start = start;
            moved(job);
        }
    }
}

template <typename Waiting>
RunningPlan::Freed RunningPlan::move_ahead(const Waiting& job, double start) {
    const double end = engine::planned_end(start, job.duration);
    if (job.start == never) {
        profile_.reserve(start, end, job.size);
        return {};
    }
    const double old_end = engine::planned_end(job.start, job.duration);
    profile_.move_ahead({start, end, job.start, old_end}, job.size);
    return {std::max(job.start, end), old_end};
}

// Where none can, nothing freed is left to be looked at.
template <typename Jobs>
bool RunningPlan::is_loose(const Jobs& jobs) {
    const double freed_until = by_moves_.until;
    if (freed_until <= now_) {
        return false;
    }
    const bool found = std::any_of(jobs.begin(), jobs.end(), [&](const auto& job) {
        return job.start > now_ && earlier_fit(job, freed_until) < job.start;
    });
    if (!found) {
        by_moves_ = {};
    }
    return found;
}

}  // namespace schedfarm::policies
