// Turns finished (or, for policies without preemption, started) jobs into the observations of one
// replication. The general kernel and the specialised simulators feed the same recorder in the same
// order, which is what makes their results equal to the bit: start order for policies without
// preemption (the finish is known at the start), completion order for the others.
//
// A recorder serves one replication of every experiment but bin filling, for which there is
// fill_bins(). What was asked for changes no number of anything else: each probe has sums of
// its own, and the sums that are always kept do not depend on the probe set.
// Cost of add(): about 3 ns with response_time.mean alone; one branch guards each of the series,
// the other probes and the job log.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "engine/foundation/hash.hpp"
#include "engine/simulation/experiment.hpp"
#include "engine/simulation/logs/job_log.hpp"
#include "engine/simulation/measurement/observations.hpp"
#include "engine/simulation/measurement/probe.hpp"
#include "engine/simulation/measurement/response_series.hpp"
#include "engine/simulation/system.hpp"

namespace schedfarm::engine {

struct JobMeter;    // engine/simulation/measurement/probe_meters.hpp
class ProbeMeters;  // engine/simulation/measurement/probe_meters.hpp

/// One job's way through the system.
struct JobRecord {
    std::uint64_t index = 0;
    double submit_time = 0;   ///< saturated: the instant at which it joined the backlog
    double start_time = 0;    ///< the first instant at which it ran
    double finish_time = 0;   ///< saturated, fed at starts: when it would finish
    double service_time = 0;  ///< moldable: on the processors chosen
    std::uint32_t size = 0;   ///< moldable: the processors chosen
    std::uint32_t job_class = 0;
    double weight = 1;
};

/// When the records come.
enum class RecordFeed : std::uint8_t {
    at_start,       ///< one per start, in start order; processors are busy from start to finish
    at_completion,  ///< one per completion; add_start() and add_occupation() tell the rest
};

class Recorder {
  public:
    /// REQUIRES: not bin filling; experiment.window is set if needs_window(probes, experiment); the
    /// horizon measures at least one job.
    Recorder(
        const Experiment& experiment,
        const ProbeSet& probes,
        const SystemDescription& system,
        std::uint32_t job_classes,
        RecordFeed feed = RecordFeed::at_start
    );
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;
    ~Recorder();

    /// Adds a job. REQUIRES: it is counted; saturated, fed at starts: no more than horizon.jobs.
    void add(const JobRecord& job) {
        sums_.add(job, first_measured_, second_half_);
        add_to_others(job);
    }
    /// Adds record(0) … record(count − 1), faster than one by one.
    template <typename Records>
    void add_all(std::size_t count, Records record) {
        Sums sums = sums_;  // in registers
        for (std::size_t i = 0; i < count; ++i) {
            sums.add(record(i), first_measured_, second_half_);
        }
        sums_ = sums;
        const bool are_enough = !series_ && !meters_ && probes_.job_log == nullptr;
        for (std::size_t i = 0; !are_enough && i < count; ++i) {
            add_to_others(record(i));
        }
    }

    /// What a refused advance reservation was offered. REQUIRES: it is counted.
    void add_offer(std::uint64_t job, double earliest_start) {
        if (probes_.job_log != nullptr) {
            probes_.job_log->add_offer(job, earliest_start);
        }
    }

    /// Whether every counted job has a record.
    bool has_all() const { return sums_.jobs == experiment_.horizon.jobs; }

    /// A job has run for the first time at `time`. Fed at completions only; needed when saturated.
    void add_start(double time);
    /// A job of a class has held processors from `begin` to `end`, now. Fed at completions only.
    void add_occupation(
        double begin, double end, std::uint32_t processors, std::uint32_t job_class
    ) {
        if (meters_) {
            add_to_meters(begin, end, processors, job_class);
        }
    }

    /// The values of observation_columns(), the fingerprint, the number of records with two events
    /// for each, the series and the sketches.
    Observations finish();
    /// The same for a replication that ended early, whatever was added: as Observations::overflow
    /// says.
    Observations finish_early(const QueueOverflow& overflow) const;

  private:
    /// What is always kept.
    struct Sums {
        std::uint64_t jobs = 0;
        std::uint64_t fingerprint = 0;
        double response = 0;
        double first_queueing = 0;   ///< of the first half of the measured jobs
        double second_queueing = 0;  ///< of the second
        double warm_up_queueing = 0;
        double first_submit = std::numeric_limits<double>::infinity();
        double last_submit = -std::numeric_limits<double>::infinity();
        double warm_up_submit = 0;  ///< last submission before the measured jobs

        void add(const JobRecord& job, std::uint64_t first_measured, std::uint64_t second_half) {
            const double queueing = job.start_time - job.submit_time;
            ++jobs;
            fingerprint += schedule_hash(job.index, job.start_time, job.finish_time);
            if (job.index < first_measured) {
                warm_up_queueing += queueing;
                warm_up_submit = std::max(warm_up_submit, job.submit_time);
                return;
            }
            response += job.finish_time - job.submit_time;
            if (job.index < second_half) {
                first_queueing += queueing;
            } else {
                second_queueing += queueing;
            }
            first_submit = std::min(first_submit, job.submit_time);
            last_submit = std::max(last_submit, job.submit_time);
        }
    };

    /// All but the sums.
    void add_to_others(const JobRecord& job) {
        if (series_) {
            series_->add(job.index, job.finish_time - job.submit_time);
        }
        if (meters_) {
            add_to_meters(job);
        }
        if (probes_.job_log != nullptr) [[unlikely]] {
            probes_.job_log->add(job);
        }
    }
    void add_to_meters(const JobRecord& job);
    void add_to_meters(double begin, double end, std::uint32_t processors, std::uint32_t job_class);
    std::vector<double> base_values() const;
    void add_fair_start_misses();
    void append_requests(Observations& result);
    /// The mean of a request; `meter` is null where it needs none.
    double mean_of(const ProbeRequest& request, const JobMeter* meter) const;
    /// What a time average gives beside its mean: quantiles, then the same for each class.
    void append_time_details(const ProbeRequest& request, std::vector<double>& out);
    /// What time averages are over. REQUIRES: the kind of experiment has one.
    MeasurementWindow window() const;

    Sums sums_;
    std::uint64_t first_measured_;
    std::uint64_t second_half_;
    std::optional<ResponseSeries> series_;  // absent when not asked for
    std::unique_ptr<ProbeMeters> meters_;   // null when the sums above are enough
    std::unique_ptr<JobLog> own_log_;       // where a probe needs one and nobody else asks for it

    Experiment experiment_;
    ProbeSet probes_;
    std::uint32_t processors_;
    std::uint32_t job_classes_;
    RecordFeed feed_;
};

}  // namespace schedfarm::engine
