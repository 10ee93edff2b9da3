// Probes: what is measured in a replication. A probe is requested in the campaign; asking for one
// never changes the numbers of another.
//
//   experiment    always observed                          on request
//   bin_filling   capacity_loss, gross_utilization,        –
//                 capacity_loss.fill_sd, jobs_placed
//   saturated     gross_utilization (busy_area / capacity_area), capacity_loss, throughput,
//                 busy_area, capacity_area
//   open, trace   backlog_growth, wait.warm_up,     as off-line, and interarrival_time
//                 wait.first_half,
//                 wait.second_half; with a
//                 start backlog, in their place:
//                 backlog_change, backlog_time
//   offline       makespan, weighted_completion            response_time, wait, slowdown,
//                                                          bounded_slowdown, service_time,
//                                                          job_size, fair_start_miss,
//                                                          utilization, gross_utilization,
//                                                          loss_of_capacity, queue_length
//
// Every job metric gives mean and the quantiles asked for, and the same per job class if asked for;
// so does queue_length, with quantiles over time: the least number of waiting jobs that is not
// exceeded for at least that share of the window. gross_utilization gives the share of each class.
// Job metrics average over jobs number warm_up_jobs and later; time averages run over the
// measurement window, off-line from 0 to the makespan, and count every job in it. The slowdown of a
// job without service is 1 if it did not wait, else infinite.
//
// utilization is that of a whole schedule: the work of the measured jobs, up to the last of their
// ends. gross_utilization ends with the last submission, before the machine runs empty, and counts
// all work.
//
// service_time, job_size and interarrival_time say what the workload happened to draw. They are
// control variates: their exact means are those of WorkloadTraits. The interarrival times are those
// of the measured jobs, (last submission - that of job warm_up_jobs - 1) / measured jobs; without
// warm-up the job before the first counts as submitted at 0, as in a renewal process that starts at
// 0, but in a trace, which does not start there: (last - first) / (measured jobs - 1). A start
// backlog longer than the warm-up takes away the meaning of their exact mean.
//
// loss_of_capacity is the share of the processors that is idle while at least one job waits for its
// first start: the kappa of Zhang, Franke, Moreira & Sivasubramaniam (IEEE TPDS 14(3), 2003), which
// asks whether there is a waiting job and not how many processors it wants. fair_start_miss is
// max(0, start - fair start), with the share of jobs that miss theirs beside mean and quantiles;
// engine/simulation/measurement/fair_start.hpp says what is fair, and what that costs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/foundation/parameters.hpp"
#include "engine/simulation/experiment.hpp"
#include "engine/simulation/measurement/metrics.hpp"
#include "engine/simulation/measurement/observations.hpp"

namespace schedfarm::engine {

struct JobLog;    // engine/simulation/logs/job_log.hpp
class OwnMetric;  // engine/simulation/measurement/own_metric.hpp

struct ProbeRequest {
    Metric metric = Metric::response_time;
    std::vector<double> quantiles;  ///< each in (0, 1); job metrics and queue_length
    bool per_class = false;         ///< job metrics, gross_utilization and queue_length
    double threshold = 10;          ///< bounded slowdown: shortest run time that counts
    bool sketch = false;            ///< job metrics only: Observations::sketches gets a sketch
    std::shared_ptr<const OwnMetric> own = nullptr;  ///< of Metric::own
};

/// Lives as long as the request.
const MetricDescription& description_of(const ProbeRequest& request);

inline bool is_time_average(Metric metric) {
    return description_of(metric).kind == MetricKind::time_average;
}

/// Whether a metric is a number of each job: only these have sketches.
inline bool is_job_metric(Metric metric) {
    return description_of(metric).kind == MetricKind::of_jobs;
}

/// Whether an experiment can serve a request for a metric, as in the table above.
inline bool is_observed(Metric metric, const Experiment& experiment) {
    return experiment.kind.has_arrivals()
           || (experiment.kind.starts_with_all()
               && description_of(metric).kind != MetricKind::of_arrivals);
}

struct ProbeSet {
    std::vector<ProbeRequest> requests;
    JobLog* job_log = nullptr;  ///< filled with what became of each job; null: not asked for
};

/// Of the program, or the own one of a request; null where no metric has this name.
const MetricDescription* find_metric(const ProbeSet& probes, std::string_view name);

/// The probes with their parameters, for campaigns and `schedfarm list`.
const std::vector<Alternative>& probe_alternatives();
/// A metric of the campaign's own, of which `expression` is a parameter.
Alternative own_probe(const std::string& name);
/// REQUIRES: OwnMetric takes its expression, if it has one.
ProbeRequest make_probe_request(const Choice& choice);

/// The columns that `probes` give in an experiment: those always observed, then the
/// requests in order, each with mean, share, quantiles, then class 0 with mean, quantiles, class 1
/// … Requests that an experiment cannot serve (the table above) give no column.
std::vector<ObservationColumn> observation_columns(
    const ProbeSet& probes, const Experiment& experiment, std::uint32_t job_classes
);

}  // namespace schedfarm::engine
