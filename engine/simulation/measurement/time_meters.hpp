// The measuring instruments behind the time averages of a Recorder: numbers that change over time,
// over all jobs and by class, cut to a window.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/simulation/experiment.hpp"

namespace schedfarm::engine {

/// Integral of a number over time, cut to a window.
class WindowedArea {
  public:
    explicit WindowedArea(MeasurementWindow window) : window_(window) {}
    void add(double begin, double end, double height) {
        const double from = begin > window_.begin ? begin : window_.begin;
        const double to = end < window_.end ? end : window_.end;
        area_ += to > from ? height * (to - from) : 0;
    }
    double area() const { return area_; }

  private:
    MeasurementWindow window_;
    double area_ = 0;
};

/// How many jobs wait, cut to a window, and for how long. Keeps every wait: 16 bytes per job.
class QueueLengths {
  public:
    explicit QueueLengths(MeasurementWindow window) : window_(window) {}
    void add(double submit, double start) {
        const double from = submit > window_.begin ? submit : window_.begin;
        const double to = start < window_.end ? start : window_.end;
        if (to > from) {
            joins_.push_back(from);
            leaves_.push_back(to);
        }
    }
    /// Appends the quantiles over the time from the window's begin to `end`, which is where it ends
    /// or not before any wait ends: the least number of jobs that is not exceeded for at least that
    /// share of the time; NaN where no time passes. Cost: two sorts of the waits.
    void append_quantiles(
        const std::vector<double>& probabilities, double end, std::vector<double>& out
    );

  private:
    /// The time with 0, 1, … jobs, each with that of the shorter queues.
    std::vector<double> times_up_to(double end);

    MeasurementWindow window_;
    std::vector<double> joins_;
    std::vector<double> leaves_;
};

/// What of a time average is wanted beside the mean over all jobs.
struct TimeDetails {
    std::uint32_t classes = 0;  ///< 0: nothing by class
    bool has_quantiles = false;
};

/// One number over time to which each job adds for some while: a time average and its details.
class TimeMeter {
  public:
    TimeMeter(MeasurementWindow window, const TimeDetails& details);

    /// REQUIRES: where something is wanted by class, `job_class` is one of them.
    void add(double begin, double end, double height, std::uint32_t job_class) {
        all_.add(begin, end, height);
        if (!by_class_.empty()) {
            add_to_class(begin, end, height, job_class);
        }
        if (!lengths_.empty()) {
            add_to_lengths(begin, end, job_class);
        }
    }
    double area() const { return all_.area(); }
    double area_of_class(std::uint32_t job_class) const { return by_class_.at(job_class).area(); }

    /// REQUIRES: quantiles are wanted; every height added was 1.
    QueueLengths& lengths() { return lengths_.at(0); }
    QueueLengths& lengths_of_class(std::uint32_t job_class) { return lengths_.at(1 + job_class); }

  private:
    void add_to_class(double begin, double end, double height, std::uint32_t job_class);
    void add_to_lengths(double begin, double end, std::uint32_t job_class);

    WindowedArea all_;
    std::vector<WindowedArea> by_class_;
    std::vector<QueueLengths> lengths_;  ///< none, or of all jobs and then of each class
};

}  // namespace schedfarm::engine
