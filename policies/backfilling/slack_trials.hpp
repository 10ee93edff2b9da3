// The plans that a newcomer has a choice of under slack-based backfilling (slack_based.hpp), tried
// one after the other. Owns what is tried; the plan itself is left as it is.
//
// With k jobs moved rather than k − 1, nothing changes unless the newcomer gets an earlier place or
// the first of the k moves ahead of its own: only then are the k placed and the plan priced. A job
// of the plan whose place is its earliest fit beside all others cannot: those planned behind it
// begin no earlier than it does. Nor are they placed where the newcomer is just like the first of
// them: the two would change places.
//
// Cost, for a profile of n stretches: O(moves n), or O(moves² n) where places change, by vectors;
// a price O(moves), or O(waiting jobs) where rounding may decide.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/planning/profile/availability_profile.hpp"
#include "engine/planning/profile/step_window.hpp"
#include "engine/simulation/job.hpp"

namespace schedfarm::policies {

/// A job that waits, as planned.
struct PlannedJob {
    static constexpr double never = engine::AvailabilityProfile::never;

    engine::JobId id;
    std::uint32_t size = 0;
    std::uint64_t index = 0;
    double submit_time = 0;
    double duration = 0;
    double weight = 1;
    double start = never;
    double latest = never;
    bool was_booked = false;  ///< as an advance reservation, which it missed

    double end() const { return engine::planned_end(start, duration); }
    friend bool operator<(const PlannedJob& a, const PlannedJob& b) {
        return a.start < b.start || (a.start == b.start && a.index < b.index);
    }
};

class SlackTrials {
  public:
    /// The plan, in its order, and the newcomer where it fits beside all.
    struct Plan {
        std::span<const PlannedJob> jobs;
        const PlannedJob& newcomer;
        double now = 0;
        std::size_t moves = 0;      ///< at most; REQUIRES: <= jobs
        bool is_loose = false;      ///< one of the jobs could move ahead
        bool fails = false;         ///< one of them may lack processors at its place
        double largest_weight = 1;  ///< no job has a larger one
    };
    /// Whether there is a cheaper plan: the newcomer elsewhere and jobs moved. `profile` is less
    /// the jobs, not the newcomer.
    bool find_cheaper(const engine::AvailabilityProfile& profile, const Plan& plan);

    // Of the cheapest plan, if there was one.
    double newcomer_start() const { return best_.newcomer_start; }
    /// Of the last jobs of the plan.
    std::span<const double> starts() const { return best_.starts; }

  private:
    struct Trial {
        double newcomer_start = 0;
        std::vector<double> starts;  // of the last jobs
        double change = 0;           // of the price, about
    };
    /// A job of the plan, or the newcomer, whose place is behind all.
    struct Arrived {
        std::uint64_t index = 0;
        std::size_t place = 0;
    };

    void begin(const engine::AvailabilityProfile& profile, const Plan& plan);
    bool changes_places(const Plan& plan, std::size_t first);
    bool are_prices_exact(const Plan& plan);
    void release_from(const Plan& plan, std::size_t first);
    double earliest_place(const Plan& plan) const;
    void place_newcomer(const Plan& plan, double start);
    bool may_move(const Plan& plan, std::size_t first);
    bool place_from(const Plan& plan, std::size_t first, double newcomer_start);
    bool is_cheaper(const Plan& plan);
    bool is_whole(const Plan& plan);
    static bool is_whole(const Trial& trial);
    double price(const Plan& plan, const Trial& trial);
    void sort_by_arrival(const Plan& plan);

    engine::AvailabilityProfile ahead_{0};  // less the jobs up to the first that is released
    engine::AvailabilityProfile with_{0};   // less those and others, as they are placed
    std::size_t released_ = 0;              // from this job of the plan on
    Trial trial_;
    Trial best_;                         // so far; no starts: the plan as it is
    std::optional<bool> is_plan_whole_;  // all starts and weights; none: not yet looked
    std::optional<bool> are_prices_exact_;
    std::vector<Arrived> by_arrival_;  // empty: not yet sorted
};

}  // namespace schedfarm::policies
