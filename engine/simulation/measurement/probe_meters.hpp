// The measuring instruments behind a Recorder that cost more than a sum: quantiles, classes,
// sketches, slowdowns, time averages, the saturated system and the objectives of off-line
// scheduling.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "engine/simulation/experiment.hpp"
#include "engine/simulation/measurement/backlog_meter.hpp"
#include "engine/simulation/measurement/probe.hpp"
#include "engine/simulation/measurement/recorder.hpp"
#include "engine/simulation/measurement/time_meters.hpp"
#include "engine/simulation/system.hpp"
#include "engine/statistics/log_sketch.hpp"

namespace schedfarm::engine {

/// Mean, quantiles and sketch of one job metric over the jobs added. Values are kept only if
/// quantiles are asked for: 8 bytes per job.
class JobSample {
  public:
    explicit JobSample(const ProbeRequest& request);
    void add(double value, double weight = 1) {
        sum_ += value * weight;
        largest_ = value > largest_ ? value : largest_;
        weights_ += weight;
        if (keeps_values_) {
            values_.push_back(value);
        }
        if (keeps_sketch_) {
            sketch_.add(value);
        }
    }
    double mean() const;
    /// Largest value / sum of all; NaN where there is no job, or their sum is not finite.
    double largest_share() const;
    /// The number of jobs, or the sum of their weights.
    double weights() const { return weights_; }
    /// Appends the sample quantiles; NaN where there is no job.
    void append_quantiles(const std::vector<double>& probabilities, std::vector<double>& out);
    /// Appends the sketch, where there is one.
    void append_sketch(std::vector<SketchBuckets>& out) const;

  private:
    bool keeps_values_;
    bool keeps_sketch_;
    double sum_ = 0;
    double largest_ = 0;
    double weights_ = 0;
    std::vector<double> values_;
    LogSketch sketch_;
};

/// One requested job metric, over all measured jobs and by class.
struct JobMeter {
    ProbeRequest request;
    JobSample all;
    std::vector<JobSample> by_class;
    std::uint64_t jobs = 0;
    std::uint64_t positive = 0;      ///< jobs with a value above 0
    std::vector<double> stack = {};  ///< of an own metric

    void add(const JobRecord& job);
    void add_own(const JobRecord& job);
    void add(double value, std::uint64_t index, std::uint32_t job_class, double weight = 1);
    double share_above_zero() const {
        return static_cast<double>(positive) / static_cast<double>(jobs);
    }
    /// Appends the quantiles over all jobs, of slowdown the share of the largest, then mean,
    /// quantiles and number of jobs of each class; of a weighted metric the
    /// sums of the weights in place of the numbers, that of all jobs too.
    void append_details(std::vector<double>& out);
    /// Appends the sketches of observed_sketches().
    void append_sketches(std::vector<SketchBuckets>& out) const;
};

/// Of processors · length: what is not busy, 0 where that is no more than the rounding of the sum.
constexpr double idle_area(double processors, double length, double busy) {
    const double idle = processors * length - busy;
    return idle > 1e-12 * processors * length ? idle : 0;
}

/// Processor-time in a window that is idle while somebody waits. Keeps every wait and every time
/// that processors were busy: 40 bytes per job.
class IdleWhileWaiting {
  public:
    explicit IdleWhileWaiting(MeasurementWindow window) : window_(window) {}
    void add_wait(double begin, double end) { add(waits_, begin, end, 1); }
    void add_busy(double begin, double end, double processors) {
        add(busy_, begin, end, processors);
    }
    /// Cost: a sort of the waits.
    double area(double processors) const;

  private:
    struct Period {
        double begin;
        double end;
        double height;
    };
    void add(std::vector<Period>& periods, double begin, double end, double height) {
        const double from = begin > window_.begin ? begin : window_.begin;
        const double to = end < window_.end ? end : window_.end;
        if (to > from) {
            periods.push_back({.begin = from, .end = to, .height = height});
        }
    }

    MeasurementWindow window_;
    std::vector<Period> waits_;
    std::vector<Period> busy_;
};

/// Busy processor-time of a saturated system between the start of job number `warm_up_jobs` in
/// order of start and the last start. Keeps the jobs that may still run: O(processors) memory.
class SaturationMeter {
  public:
    SaturationMeter(std::uint64_t warm_up_jobs, std::uint32_t processors);

    /// A job starts; starts come in order of time.
    void add_start(double time);
    /// The job that has just started holds processors until `end`.
    void add_running(double end, std::uint32_t processors);
    /// A job has held processors from `begin` to `end`, now.
    void add_past(double begin, double end, std::uint32_t processors);

    double length() const { return end_ - begin_; }
    double busy_area() const;
    /// Starts after the first measured one, until the last.
    std::uint64_t starts_measured() const;

  private:
    struct Occupation {
        double end;
        double processors;
    };

    std::uint64_t warm_up_jobs_;
    std::size_t most_kept_;
    std::uint64_t started_ = 0;
    double begin_ = std::numeric_limits<double>::quiet_NaN();
    double end_ = 0;
    double area_ = 0;
    std::vector<Occupation> running_;
};

/// All instruments of one recorder.
class ProbeMeters {
  public:
    ProbeMeters(
        const Experiment& experiment,
        const ProbeSet& probes,
        std::uint32_t processors,
        std::uint32_t job_classes
    );

    /// False where the recorder's own sums are enough.
    static bool needs_meter(const ProbeRequest& request);

    std::vector<JobMeter> job_meters;  ///< one per request that needs one, in order
    std::optional<TimeMeter> busy;
    std::optional<TimeMeter> waiting;
    std::optional<IdleWhileWaiting> idle;
    std::optional<SaturationMeter> saturation;
    std::optional<BacklogMeter> backlog;  ///< of a start backlog
    double makespan = 0;                  ///< last finish
    double weighted_completion = 0;       ///< sum of weight * finish
    double work = 0;                      ///< of the measured jobs: sum of size * service
    double last_finish = 0;               ///< of the measured jobs
};

}  // namespace schedfarm::engine
