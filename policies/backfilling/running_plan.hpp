// What the policies share that keep reservations: the jobs that run with their planned ends, the
// profile of what is planned, starts and the alarm for the next reservation.
//
// A job that still runs at its planned end counts as free in the profile. While an early finish of
// the instant is yet to be taken (planning_options.hpp), its processors count as busy.
//
// Planned outages are in the profile ahead; of what else is out of order the plan expects that it
// stays so. A processor that is out and held by a job that drains is taken once.
//
// Reservations are compressed job by job: each is given up for the earliest fit if that is earlier.
// A policy says after which finishes.
//
// Cost: a start and a finish that of a change of the profile; show_running O(running jobs) changes;
// compress a look at each job, and a fit and a change of the profile for each that moves
// (engine/planning/profile/step_windows.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "engine/planning/placement.hpp"
#include "engine/planning/profile/availability_profile.hpp"
#include "engine/simulation/kernel/actions.hpp"
#include "engine/simulation/policy.hpp"
#include "engine/simulation/system.hpp"

#include "policies/backfilling/outage_forecast.hpp"

namespace schedfarm::policies {

class RunningPlan {
  public:
    static constexpr double never = engine::AvailabilityProfile::never;

    RunningPlan(
        engine::PlacementRule placement,
        const engine::SystemDescription& system,
        Foresight foresight = Foresight::planned_outages
    )
        : processors_(system.processors())
        , outages_(system, foresight)
        , profile_(processors_)
        , placer_(placement) {}

    /// Of an instant, ahead of all that follows.
    void begin(const engine::EventBatch& events, engine::Actions& actions);
    /// Whether others are out of order than the profile has.
    bool has_lost_count() const { return outages_.has_changed(); }
    /// Puts the planned outages into the profile that begin before `time`.
    void look_ahead(double time);
    /// Takes a finish.
    void finish(engine::JobId id);

    /// A job that waits, as planned.
    struct Request {
        engine::JobId id;
        std::uint32_t size = 0;
        double duration = 0;
    };
    /// The first time from now on at which the job fits the profile; never while too much is out
    /// unplanned. Throws UnservedJobError where it is too long for the times between planned
    /// outages.
    double earliest_fit(const Request& job);
    /// Takes an advance reservation if it delays nothing that is planned: it is reserved and
    /// promised. Else it is refused, which is published.
    bool book(const Request& job, double start);
    /// Starts the job unless processors are lacking or its components do not fit. The profile, in
    /// which the caller reserves for it, gets back what outages take of it.
    bool start(const Request& job);

    /// Whether a job finished before its planned end since the last compress or show_running.
    bool was_freed() const { return freed_by_finishes_ > -never; }
    /// Something that was reserved up to `end` was given up otherwise than by compress.
    void give_up_until(double end) { freed_by_moves_ = std::max(freed_by_moves_, end); }
    /// Whether something was given up since.
    bool was_given_up() const { return freed_by_moves_ > now_; }
    /// Moves the reservations of the jobs ahead, in their order; moved (number, start) tells. Jobs
    /// are windows that end where their reservations begin, never if they have no place. Sets from
    /// and before.
    template <typename Function>
    void compress(engine::StepWindows& jobs, Function moved);

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
    /// Gives the job its place. Returns when the last of what it gives up would have ended.
    double move_ahead(const engine::StepWindow& job, double start);

    struct Running {
        double end = 0;                                       // as planned
        std::uint32_t size = 0;                               // 0: does not run
        std::vector<engine::ProcessorRange> processors = {};  // named where any go out of order
    };
    static constexpr engine::Timer alarm{1};

    /// Of those that the job holds.
    std::uint32_t in_order(const Running& job) const {
        return job.size - outages_.count_out(job.processors);
    }

    std::uint32_t processors_;
    OutageForecast outages_;
    engine::AvailabilityProfile profile_;
    engine::Placer placer_;
    std::vector<Running> running_;  // by slot of the job
    double alarm_time_ = never;
    // Up to when processors were freed: by early finishes since the last compress, and by
    // reservations given up since each job was looked at.
    double freed_by_finishes_ = -never;
    double freed_by_moves_ = -never;

    // Of the batch being taken.
    engine::Actions* actions_ = nullptr;
    double now_ = 0;
    std::int64_t free_ = 0;  // less the processors of finishes yet to be taken that came early
};

// A job can move ahead only to a time before the last that was freed since it was looked at: by an
// early finish, or by moves of others, those of the last compression included. That one job cannot
// move tells nothing of those behind it: a smaller or shorter one may go where it could not, and
// what that one leaves is freed too. Under overload most rows of 16 jobs have one that moves.
template <typename Function>
void RunningPlan::compress(engine::StepWindows& jobs, Function moved) {
    jobs.from = now_;
    jobs.before = std::max(freed_by_finishes_, freed_by_moves_);
    freed_by_finishes_ = -never;
    freed_by_moves_ = -never;
    std::size_t next = 0;
    for (;;) {
        const auto found = profile_.first_earlier(jobs, next);
        if (found.begin == never) {
            return;
        }
        const double freed = move_ahead(jobs[found.index], found.begin);
        freed_by_moves_ = std::max(freed_by_moves_, freed);
        jobs.before = std::max(jobs.before, freed);
        jobs.set_until(found.index, found.begin);
        moved(found.index, found.begin);
        next = found.index + 1;
    }
}

}  // namespace schedfarm::policies
