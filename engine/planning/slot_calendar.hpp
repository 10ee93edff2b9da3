// Imprecise calendars (Hollingsworth & Maneewongvatana 1999, section 2): time in slots that are the
// longer the farther they are ahead, and processors reserved slot by slot. A reservation takes its
// processors in every slot that it touches, from the beginning of one.
//
// All slots are multiples of the fundamental one. While a level has fewer slots than its count, the
// first slot of the next level is divided into slots of this one; the slot under way counts. So
// where slots begin depends on the time alone, and slots that nobody reserves cost nothing: what
// is kept is the profile of what is used, which changes only where slots begin.
// A slot that is partly used takes more only up to a threshold, a fraction of the processors; one
// that is free takes all.
//
// Cost: O(log reservations), and O(changes of use) with the constant of a vector instruction
// (step_function.hpp says why no tree is faster); dividing a slot that of each reservation ending
// in it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "engine/planning/profile/availability_profile.hpp"
#include "engine/simulation/job.hpp"

namespace schedfarm::engine {

/// So many slots of a size, at least; of the last level there are as many as it takes.
struct SlotLevel {
    std::uint32_t count = 1;
    double size = 0;
};

/// Where slots begin, as of a time.
class SlotGrid {
  public:
    /// From time 0. REQUIRES: counts > 0; each size is a multiple of the one before, > 0.
    explicit SlotGrid(const std::vector<SlotLevel>& levels);

    /// What is to be divided at `now`, level by level, in terms of time.
    struct Divided {
        double from = 0;
        double until = 0;
    };
    /// Moves time on; what was divided, the farthest first. Valid until the next call.
    const std::vector<Divided>& advance(double now);
    /// When the next slot is divided; never: infinity.
    double next_division() const;

    /// The beginning of the first slot that begins at `time` or later. REQUIRES for both: the slot
    /// that `time` lies in is not over.
    double next_begin(double time) const { return time_of(next_begin_unit(time)); }
    /// The beginning of the slot that `time` lies in.
    double begin_of(double time) const;

  private:
    struct Level {
        std::int64_t count;
        std::int64_t size;   // in fundamental slots, as all below
        std::int64_t begin;  // of its first slot; of the first level: not kept
    };
    double time_of(std::int64_t unit) const { return static_cast<double>(unit) * unit_; }
    std::int64_t unit_at(double time) const;  // that `time` lies in
    std::int64_t next_begin_unit(double time) const;
    const Level& level_of(std::int64_t unit) const;

    double unit_;
    std::vector<Level> levels_;
    std::int64_t now_ = 0;
    std::vector<Divided> divided_;
};

/// What of the slots is used: what a calendar's questions need.
class SlotPlan {
  public:
    SlotPlan(const std::vector<SlotLevel>& levels, std::uint32_t processors, double threshold)
        : grid(levels)
        , profile(processors)
        , processors_(processors)
        , usable_(static_cast<std::uint32_t>(threshold * processors + rounding)) {}

    SlotGrid grid;
    AvailabilityProfile profile;

    /// Processors that a slot must have free to take so many: all, where the slot takes no second
    /// job beside one so large.
    std::uint32_t level(std::uint32_t size) const {
        return processors_ - (size < usable_ ? usable_ - size : 0);
    }
    /// The beginning of the first slot from `from` on from which on the job fits.
    double first_fit(std::uint32_t size, double duration, double from) const {
        return profile.earliest_fit(level(size), duration, grid.next_begin(from));
    }
    /// For a start at `time`: the beginning of the slot that it lies in, or if that is over or
    /// lacks processors of a later one. REQUIRES: time >= now.
    double fixed_start(std::uint32_t size, double duration, double time, double now) const;

  private:
    static constexpr double rounding = 1e-6;  // of a threshold that is a decimal fraction

    std::uint32_t processors_;
    std::uint32_t usable_;
};

class SlotCalendar {
  public:
    SlotCalendar(const std::vector<SlotLevel>& levels, std::uint32_t processors, double threshold)
        : plan_(levels, processors, threshold) {}

    const SlotPlan& plan() const { return plan_; }

    /// Divides what is to be divided by now: reservations then end with the first slot that they
    /// need. Returns whether anything was divided.
    bool advance(double now);
    /// Prolongs those that should have ended by now to the end of the slot under way.
    void prolong(double now);

    // Reservations, each of a job.
    /// REQUIRES: a slot begins at `start`, and the job fits from there.
    void reserve(JobId id, double start, std::uint32_t size, double duration);
    /// Gives all of it up.
    void give_up(JobId id);
    /// Gives up what is left from the next beginning of a slot on; returns whether it was anything.
    bool finish(JobId id, double now);
    double start_of(JobId id) const { return booked_[id.value].start; }
    /// When the last slot of its ends.
    double end_of(JobId id) const { return booked_[id.value].end; }
    /// From which slot on it fits, its own place given up, if that is earlier; else never.
    double earlier_start(JobId id, double now) const {
        const Booked& own = booked_[id.value];
        return plan_.profile.earlier_fit(
            plan_.level(own.size), own.duration, plan_.grid.next_begin(now), own.start
        );
    }
    /// Moves it there.
    void move(JobId id, double start);

    /// Whether a job that was looked at before could move ahead.
    bool has_freed(double now) const { return freed_until_ > now; }
    /// Moves jobs ahead, in their order: each to the first slot from which on it fits, if that is
    /// before its own; moved (number, start) tells. `jobs` are those that may move, each a window
    /// of level plan().level(size) that ends where its reservation begins; of them only those from
    /// number `first` on are looked at.
    template <typename Ids, typename Function>
    void move_ahead(
        StepWindows& jobs, const Ids& ids, std::size_t first, double now, Function moved
    );

  private:
    struct Booked {
        double start = 0;
        double duration = 0;
        double end = 0;
        std::uint32_t size = 0;
    };
    using End = std::pair<double, std::uint32_t>;  // and the slot of the job

    double rounded_end(const Booked& booked) const {
        return plan_.grid.next_begin(planned_end(booked.start, booked.duration));
    }
    void add_end(std::uint32_t job, double end);
    void remove_end(std::uint32_t job);
    void shorten(const SlotGrid::Divided& divided);
    void free(double begin, double end, std::uint32_t size);

    SlotPlan plan_;
    std::vector<Booked> booked_;  // by slot of the job
    std::vector<End> ends_;       // ascending
    /// Up to when something was freed since every job was looked at.
    double freed_until_ = -std::numeric_limits<double>::infinity();
};

template <typename Ids, typename Function>
void SlotCalendar::move_ahead(
    StepWindows& jobs, const Ids& ids, std::size_t first, double now, Function moved
) {
    jobs.from = plan_.grid.next_begin(now);
    jobs.before = freed_until_;
    freed_until_ = -std::numeric_limits<double>::infinity();
    for (std::size_t next = first; jobs.from < jobs.before;) {
        const auto found = plan_.profile.first_earlier(jobs, next);
        if (found.begin == AvailabilityProfile::never) {
            return;
        }
        const JobId id = ids[found.index];
        const double old_end = booked_[id.value].end;
        move(id, found.begin);
        jobs.before = std::max(jobs.before, old_end);
        jobs.set_until(found.index, found.begin);
        moved(found.index, found.begin);
        next = found.index + 1;
    }
}

}  // namespace schedfarm::engine
