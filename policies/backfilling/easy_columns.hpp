// The columns of the specialised simulator of EASY: the running and the waiting jobs as arrays that
// vector instructions scan. All loops over them are here and in easy_columns.cpp.
//
// The arrays are padded to whole rows with values that no scan finds, so that no loop has a rest.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "engine/simulation/measurement/recorder.hpp"

namespace schedfarm::policies {

struct RunningJob {
    double finish = 0;
    double planned_end = 0;
    double size = 0;
};

/// The running jobs by finish. Cost: a start O(running jobs that finish before it), with the
/// constant of vector instructions; a finish O(1).
class RunningColumns {
  public:
    /// REQUIRES: never more than `most` jobs run.
    explicit RunningColumns(std::size_t most);

    void add(const RunningJob& job);
    /// Infinity when nothing runs.
    double next_finish() const { return finish_[end_ - 1]; }
    /// Ends the job that finishes next. REQUIRES: one runs.
    RunningJob finish_next() {
        --end_;
        const RunningJob ended{finish_[end_], planned_end_[end_], size_[end_]};
        finish_[end_] = -infinity;
        planned_end_[end_] = infinity;
        size_[end_] = 0;
        return ended;
    }

    struct Forecast {
        double shadow = 0;   ///< when the processors suffice
        double extra = 0;    ///< processors left over then
        double at_once = 0;  ///< processors given back at that very instant; 0 where it is now
    };
    /// As PlannedEnds::forecast(). REQUIRES: the processors suffice when nothing runs, and do not
    /// now. Cost: O(running jobs) for each of the first ends, then O(running jobs * log of their
    /// number), unless ends lie exponentially close.
    Forecast forecast(double needed, double free, double now) const;

  private:
    static constexpr double infinity = std::numeric_limits<double>::infinity();

    // Last to finish first, padded: infinity before the jobs, −infinity behind them.
    std::vector<double> finish_;
    std::vector<double> planned_end_;  // padded with infinity
    std::vector<double> size_;         // padded with 0
    std::size_t end_;                  // behind the job that finishes next
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
    engine::JobRecord& job(std::size_t place) { return jobs_[place]; }
    double job_size(std::size_t place) const { return size_[place]; }
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
    std::size_t end_ = 0;  // behind the last
    std::size_t live_ = 0;
    SizeCounts others_;
};

template <typename Function>
void WaitingColumns::for_each_to_start(const Limits& limits, Function start) {
    for (std::size_t begin = head_ / row * row; begin < end_; begin += row) {
        Row found = find_row(begin, limits);
        begin = found.begin;
        for (; found.jobs != 0; found.jobs &= found.jobs - 1) {
            const std::size_t place =
                begin + static_cast<std::size_t>(std::countr_zero(found.jobs));
            if (starts(place, limits)) {
                start(place);
            }
        }
    }
}

}  // namespace schedfarm::policies
