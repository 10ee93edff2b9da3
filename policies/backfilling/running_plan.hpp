// What the policies share that keep reservations: the jobs that run with their planned ends, the
// profile of what is planned, starts and the alarm for the next reservation.
//
// A job that still runs at its planned end counts as free in the profile. While an early finish of
// the instant is yet to be taken (planning_options.hpp), its processors count as busy.
//
// Planned outages are in the profile ahead; of what else is out of order the plan expects that it
// stays so.
//
// Reservations are compressed job by job: each is given up for the earliest fit if that is earlier.
// A policy says after which finishes.
//
// Cost: a start and a finish that of a change of the profile; show_running O(running jobs) changes;
// compress a fit for each job, by eight at a time, those behind one that moves anew, and a change
// of the profile for each that moves.
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

namespace schedfarm::policies {

/// The planned outages of a machine in order of time: those up to some time are in the profile, and
/// more come as the plan reaches further.
class PlannedOutages {
  public:
    explicit PlannedOutages(const engine::SystemDescription& system) {
        for (const engine::Outage& outage : system.outages.listed) {
            if (outage.is_planned) {
                sources_.push_back({outage, outage, 0});
            }
        }
        known_until_ = sources_.empty() ? never : -never;
    }

    /// Those that begin by this time are known; infinity: all.
    double known_until() const { return known_until_; }

    /// Makes those known that begin by `time`, and calls add(outage) for each.
    template <typename Function>
    void know_until(double time, Function add) {
        if (time <= known_until_) {
            return;
        }
        known_until_ = time;
        for (Source& source : sources_) {
            while (source.next.from <= time) {
                known_.push_back(source.next);
                add(source.next);
                ++source.seen;
                source.next = source.first.every > 0
                                  ? source.first.repeated(source.seen)
                                  : engine::Outage{.from = never, .until = never};
            }
        }
    }

    /// The known ones that are not over, once forget_before() has left out the others.
    const std::vector<engine::Outage>& known() const { return known_; }
    void forget_before(double now) {
        std::erase_if(known_, [now](const engine::Outage& outage) { return outage.until <= now; });
    }

    /// Processors of those under way at `now`. Where they overlap, more than there are may be out.
    std::uint32_t processors_out(double now) const {
        std::uint32_t sum = 0;
        for (const engine::Outage& outage : known_) {
            sum += outage.from <= now && now < outage.until ? outage.count : 0;
        }
        return sum;
    }

  private:
    static constexpr double never = std::numeric_limits<double>::infinity();

    struct Source {
        engine::Outage first;
        engine::Outage next;
        double seen = 0;
    };

    std::vector<Source> sources_;
    std::vector<engine::Outage> known_;
    double known_until_;
};

class RunningPlan {
  public:
    static constexpr double never = engine::AvailabilityProfile::never;

    RunningPlan(engine::PlacementRule placement, const engine::SystemDescription& system)
        : processors_(system.processors())
        , outages_(system)
        , profile_(processors_)
        , placer_(placement) {}

    /// Of an instant, ahead of all that follows.
    void begin(const engine::EventBatch& events, engine::Actions& actions);
    /// Whether others are out of order than the profile has.
    bool has_lost_count() const { return unplanned_out() != unplanned_out_; }
    /// Puts the planned outages into the profile that begin by `time`.
    void look_ahead(double time);
    /// Takes a finish.
    void finish(engine::JobId id);

    /// A job that waits, as planned.
    struct Request {
        engine::JobId id;
        std::uint32_t size = 0;
        double duration = 0;
    };
    /// The first time from now on at which the job fits the profile. Throws UnservedJobError where
    /// it is too long for the times between outages.
    double earliest_fit(const Request& job);
    /// Takes an advance reservation if it delays nothing that is planned: it is reserved and
    /// promised. Else it is refused, which is published.
    bool book(const Request& job, double start);
    /// Starts the job unless processors are lacking or its components do not fit. The profile is
    /// left as it is.
    bool start(const Request& job);

    /// Whether a job finished before its planned end since the last compress or show_running.
    bool was_freed() const { return freed_by_finishes_ > -never; }
    /// Something that was reserved up to `end` was given up otherwise than by compress.
    void give_up_until(double end) { freed_by_moves_ = std::max(freed_by_moves_, end); }
    // Jobs are windows that end where their reservations begin, never if they have no place. The
    // two set from and before.
    /// Whether something was given up that no job was asked about since.
    bool was_given_up() const { return freed_by_moves_ > now_; }
    /// Whether one of the jobs could move ahead, as compress would have it. REQUIRES:
    /// was_given_up().
    bool is_loose(engine::StepWindows& jobs);
    /// Moves the reservations of the jobs ahead, in their order; moved (number, start) tells.
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
        double end = 0;          // as planned
        std::uint32_t size = 0;  // 0: does not run
    };
    static constexpr engine::Timer alarm{1};

    std::uint32_t unplanned_out() const;
    void reserve_outage(const engine::Outage& outage);

    std::uint32_t processors_;
    PlannedOutages outages_;
    std::uint32_t out_ = 0;            // of order now
    std::uint32_t unplanned_out_ = 0;  // of them, as the profile has it
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
// early finish, or by moves of others, those of the last compression included.
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
