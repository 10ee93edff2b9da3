// The waiting jobs of a policy whose reservations stand (reservations.hpp): those that have one,
// and those that have none, each in order of arrival, column by column for vector instructions.
//
// Cost: add O(1) at the tail, elsewhere O(n); remove O(n); questions O(n / 8).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "engine/planning/profile/availability_profile.hpp"
#include "engine/planning/profile/step_windows.hpp"
#include "engine/simulation/job.hpp"

namespace schedfarm::policies {

struct QueuedJob {
    engine::JobId id;
    std::uint32_t size = 0;
    double duration = 0;
    std::uint64_t arrival = 0;  ///< ascending
    double submit_time = 0;
};

/// Jobs with a reservation, which begins at `start`; never: they do not fit by any plan.
class ReservedJobs {
  public:
    std::size_t size() const { return jobs_.size(); }
    const QueuedJob& at(std::size_t i) const { return jobs_[i]; }
    /// As windows that end where the reservations begin.
    engine::StepWindows& windows() { return windows_; }

    double start_of(std::size_t i) const { return windows_.untils()[i]; }
    /// Where a job is, looked for from the tail; size() if it is not among them.
    std::size_t place_of(engine::JobId id) const;

    void add(const QueuedJob& job, double start);
    void set_start(std::size_t i, double start) { windows_.set_until(i, start); }
    /// `places` ascend.
    void remove(std::span<const std::size_t> places);

    /// How many of them arrived before.
    std::size_t count_before(std::uint64_t arrival) const;
    /// The first from number `i` on that starts by `time`; size() if there is none.
    std::size_t next_due(std::size_t i, double time) const;
    /// Infinity if there is none.
    double first_start() const;

  private:
    std::vector<QueuedJob> jobs_;
    engine::StepWindows windows_;
};

/// Jobs without a reservation, each of which may be entitled to one when it has waited for long.
class UnreservedJobs {
  public:
    std::size_t size() const { return jobs_.size(); }
    const QueuedJob& at(std::size_t i) const { return jobs_[i]; }

    /// Where a job is, looked for from the tail; size() if it is not among them.
    std::size_t place_of(engine::JobId id) const;

    /// At which nobody is entitled.
    static constexpr double no_time = -std::numeric_limits<double>::infinity();
    using Fall = engine::AvailabilityProfile::Fall;
    /// REQUIRES: it arrived after all others.
    void add(const QueuedJob& job, double entitling_wait);
    /// `places` ascend.
    void remove(std::span<const std::size_t> places);

    bool is_entitled(std::size_t i, double now) const {
        return now - submit_times_[i] >= entitling_waits_[i];
    }
    /// What starts, or gets a reservation.
    struct Limits {
        double free = 0;             ///< no larger job starts
        double now = 0;              ///< at which it starts
        double entitling = no_time;  ///< now, or at which nobody is entitled
    };
    /// The first row from the one at `begin` on with a job that is entitled, or starts and ends
    /// before less is free than it needs; or none with such a job.
    struct Row {
        std::size_t begin = 0;
        std::uint32_t jobs = 0;  ///< by bit
    };
    static constexpr std::size_t row = 8;
    Row find_row(std::size_t begin, const Limits& limits, std::span<const Fall> falls) const;

  private:
    std::vector<QueuedJob> jobs_;
    // Rows, filled up with what is no candidate.
    std::vector<double> sizes_;
    std::vector<double> durations_;
    std::vector<double> submit_times_;
    std::vector<double> entitling_waits_;
};

}  // namespace schedfarm::policies
