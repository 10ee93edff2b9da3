// The columns of the fast way of EASY: running jobs by a time, and the waiting jobs, as arrays that
// vector instructions scan. All loops over them are here and in easy_columns.cpp.
//
// The arrays are padded to whole rows with values that no scan finds, so that no loop has a rest.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "engine/simulation/recorder.hpp"

namespace schedfarm::policies {

/// Times in decreasing order, each with a number. Cost: O(n) each, and moving those
/// that are less; taking the least O(1).
class DecreasingTimes {
  public:
    /// REQUIRES: never more than `most` times.
    explicit DecreasingTimes(std::size_t most);

    /// Infinity when there is none.
    double least() const { return time_[count_ - 1]; }
    /// Takes the least out and returns its number. REQUIRES: there is one.
    std::uint32_t take_least() {
        time_[--count_] = -infinity;
        return static_cast<std::uint32_t>(number_[count_]);
    }

    void add(double time, std::uint32_t number);
    /// REQUIRES: both were added together.
    void remove(double time, std::uint32_t number);

    /// Entries from the least on by place: places() − 1, …, 1; at place 0 is infinity.
    std::size_t places() const { return count_; }
    double time(std::size_t place) const { return time_[place]; }
    std::uint32_t number(std::size_t place) const {
        return static_cast<std::uint32_t>(number_[place]);
    }

  private:
    static constexpr double infinity = std::numeric_limits<double>::infinity();

    std::vector<double> time_;
    std::vector<std::uint64_t> number_;
    std::size_t count_ = 1;  // infinity is the first
};

/// The running jobs, by finish and by planned end.
class RunningColumns {
  public:
    /// REQUIRES: never more than `most` jobs run.
    explicit RunningColumns(std::size_t most) : finishes_(most), ends_(most) {}

    void add(double finish, double planned_end, std::uint32_t size);
    /// Infinity when nothing runs.
    double next_finish() const { return finishes_.least(); }
    /// Ends the job that finishes next and returns its size. REQUIRES: one runs.
    std::uint32_t finish_next();

    struct Forecast {
        double shadow = 0;  ///< when the processors suffice
        double extra = 0;   ///< processors left over then
    };
    /// As PlannedEnds::forecast(). REQUIRES: the processors suffice when nothing runs, and do not
    /// now.
    Forecast forecast(double needed, double free, double now) const;

  private:
    struct Running {
        double planned_end = 0;
        std::uint32_t size = 0;
    };

    DecreasingTimes finishes_;  // with slots
    DecreasingTimes ends_;      // planned, with sizes
    std::vector<Running> slots_;
    std::vector<std::uint32_t> unused_slots_;
};

/// How many of some jobs have each size. Cost: a question O(sizes asked for / 64).
class SizeCounts {
  public:
    explicit SizeCounts(std::uint32_t largest) : count_(largest + 1), present_(largest / 64 + 1) {}

    void add(std::uint32_t size) {
        present_[size / 64] |= std::uint64_t{1} << size % 64;
        ++count_[size];
    }
    void remove(std::uint32_t size) {
        if (--count_[size] == 0) {
            present_[size / 64] &= ~(std::uint64_t{1} << size % 64);
        }
    }
    /// Whether a size lies in low <= size <= high. REQUIRES: high <= the largest.
    bool has_any(std::uint32_t low, std::uint32_t high) const;

  private:
    std::vector<std::uint32_t> count_;
    std::vector<std::uint64_t> present_;  // bit by size
};

/// The waiting jobs in order of arrival; the first is the head. Started jobs leave holes, which are
/// closed when they are too many.
class WaitingColumns {
  public:
    /// Jobs start that are no larger than `free`, and no larger than `extra` or done by `shadow`
    /// if they start at `now`.
    struct Limits {
        double free = 0;
        double extra = 0;
        double now = 0;
        double shadow = 0;
    };

    /// Jobs that a scan takes at once.
    static constexpr std::size_t row = 32;

    explicit WaitingColumns(std::uint32_t largest) : others_(largest) {}

    bool empty() const { return live_ == 0; }
    std::size_t size() const { return live_; }
    std::size_t head() const { return head_; }
    const engine::JobRecord& job(std::size_t place) const { return jobs_[place]; }
    double request(std::size_t place) const { return request_[place]; }
    /// The sizes of all jobs but the head.
    const SizeCounts& others() const { return others_; }

    void add(const engine::JobRecord& job, double request);
    /// REQUIRES: a job waits there. Other jobs keep their places.
    void remove(std::size_t place);

    /// Calls `start` (place) for the jobs but the head that start, in order; it may remove the job
    /// and lower the limits.
    template <typename Function>
    void for_each_to_start(const Limits& limits, Function start);

  private:
    static constexpr double infinity = std::numeric_limits<double>::infinity();

    /// Jobs of the row that begins at `begin`, by bit.
    struct Row {
        std::size_t begin = 0;
        std::uint64_t jobs = 0;
    };
    /// The first row from the one at `begin` on with a job that starts, or none with such a job.
    Row find_row(std::size_t begin, const Limits& limits) const;
    bool starts(std::size_t place, const Limits& limits) const {
        return size_[place] <= limits.free
               && (size_[place] <= limits.extra || limits.now + request_[place] <= limits.shadow);
    }
    void close_holes();

    // Padded; a hole has the size infinity.
    std::vector<double> size_;
    std::vector<double> request_;
    std::vector<engine::JobRecord> jobs_;
    std::size_t head_ = 0;
    std::size_t live_ = 0;
    SizeCounts others_;
};

template <typename Function>
void WaitingColumns::for_each_to_start(const Limits& limits, Function start) {
    Row found = find_row(head_ / row * row, limits);
    while (found.jobs != 0) {
        for (; found.jobs != 0; found.jobs &= found.jobs - 1) {
            const std::size_t place =
                found.begin + static_cast<std::size_t>(std::countr_zero(found.jobs));
            if (starts(place, limits)) {
                start(place);
            }
        }
        found = find_row(found.begin + row, limits);
    }
}

}  // namespace schedfarm::policies
