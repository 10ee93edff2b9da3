// Free processors over time as planned: what is free now, what the running jobs give back at their
// planned ends, and what is reserved ahead. Shared by all policies that plan.
//
// Plans may be too bold: a job that still runs at its planned end counts as free from then on, and
// the numbers may be negative where more is reserved than there is.
//
// Cost: O(stretches) each with a small constant, by vectors (step_function.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/planning/profile/step_function.hpp"
#include "engine/planning/profile/step_windows.hpp"

namespace schedfarm::engine {

class AvailabilityProfile {
  public:
    static constexpr double never = StepFunction::never;

    explicit AvailabilityProfile(std::uint32_t processors)
        : free_(static_cast<std::int32_t>(processors)) {}

    /// Takes processors at begin <= t < end, or gives them back, but for times that were forgotten.
    /// REQUIRES: begin < end.
    void reserve(double begin, double end, std::uint32_t processors) {
        free_.add(begin, end, -static_cast<std::int32_t>(processors));
    }
    void release(double begin, double end, std::uint32_t processors) {
        free_.add(begin, end, static_cast<std::int32_t>(processors));
    }

    using Move = StepMove;
    /// Gives processors back at the old times of a reservation and takes them at its new ones.
    void move_ahead(const Move& move, std::uint32_t processors) {
        free_.move_ahead(move, -static_cast<std::int32_t>(processors));
    }

    /// Becomes as `other` is, in the memory that it has. Cost: O(stretches).
    void assign(const AvailabilityProfile& other) { free_.assign(other.free_); }

    std::int32_t free_at(double time) const { return free_.at(time); }
    /// Whether the processors are free at begin <= t < end.
    bool is_free(double begin, double end, std::uint32_t processors) const;

    /// From `time` on at most `free` processors are free throughout.
    struct Fall {
        double time = 0;
        std::int32_t free = 0;
    };
    /// The least that is free from `from` on, as it falls with time, in place of what is in
    /// `falls`: for many questions of what fits at `from`.
    void find_falls(double from, std::vector<Fall>& falls) const;

    /// The first time from `from` on at which `processors` are free for `duration`; never if there
    /// is none.
    double earliest_fit(std::uint32_t processors, double duration, double from) const {
        return free_.first_window(
            {.level = static_cast<std::int32_t>(processors), .duration = duration, .from = from}
        );
    }

    /// The same, where processors suffice from `until` on; never: none begins before it.
    double earlier_fit(std::uint32_t processors, double duration, double from, double until) const {
        return free_.first_window(
            {.level = static_cast<std::int32_t>(processors),
             .duration = duration,
             .from = from,
             .until = until}
        );
    }

    /// Of the jobs from number `first` on the first that could give up its reservation, which
    /// begins at the window's `until`, for an earlier one, and when; never: none. From `until` on
    /// the job's own processors serve it, longer than it needs them.
    FoundWindow first_earlier(StepWindows& jobs, std::size_t first) const {
        return jobs.first_of(free_, first);
    }

    /// Forgets what was before `time`.
    void forget_before(double time) { free_.forget_before(time); }
    /// `processors` free at all times; may be negative.
    void reset(std::int32_t processors) { free_.reset(processors); }

    /// Number of stretches of time in which nothing is planned to change.
    std::size_t stretches() const { return free_.stretches(); }
    double begin_of(std::size_t stretch) const { return free_.begin_of(stretch); }

  private:
    StepFunction free_;
};

}  // namespace schedfarm::engine
