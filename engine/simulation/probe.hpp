// Probes: what is measured in a replication. A probe is requested in the campaign; asking for one
// never changes the numbers of another.
//
//   experiment    always observed                          on request
//   bin_filling   capacity_loss, gross_utilization,        –
//                 capacity_loss.fill_sd, jobs_placed
//   saturated     gross_utilization (busy_area / capacity_area), capacity_loss, throughput,
//                 busy_area, capacity_area
//   open, trace   backlog_growth                           response_time, queueing_time, slowdown,
//   offline       makespan, weighted_completion            bounded_slowdown, gross_utilization,
//                                                          queue_length
//
// Every job metric gives mean and the quantiles asked for, and the same per job class if asked for.
// Job metrics average over jobs number warm_up_jobs and later; time averages run over the
// measurement window, off-line from 0 to the makespan, and count every job in it. The slowdown of a
// job without service is 1 if it did not wait, else infinite.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/foundation/parameters.hpp"
#include "engine/simulation/experiment.hpp"
#include "engine/simulation/observations.hpp"

namespace schedfarm::engine {

enum class Metric : std::uint8_t {
    response_time,
    queueing_time,
    slowdown,
    bounded_slowdown,
    gross_utilization,
    queue_length,
};

struct ProbeRequest {
    Metric metric = Metric::response_time;
    std::vector<double> quantiles;  ///< each in (0, 1); job metrics only
    bool per_class = false;         ///< job metrics only
    double threshold = 10;          ///< bounded slowdown: shortest run time that counts
    bool sketch = false;            ///< job metrics only: Observations::sketches gets a sketch
};

/// Whether a metric averages over time rather than over jobs.
constexpr bool is_time_average(Metric metric) {
    return metric == Metric::gross_utilization || metric == Metric::queue_length;
}

struct ProbeSet {
    std::vector<ProbeRequest> requests;
};

/// The word by which campaigns and columns name a metric: "response_time".
const char* metric_name(Metric metric);

/// The probes with their parameters, for campaigns and `schedfarm list`.
const std::vector<Alternative>& probe_alternatives();
ProbeRequest make_probe_request(const Choice& choice);

/// The columns that `probes` give in an experiment of this kind: those always observed, then the
/// requests in order, each with mean, quantiles, then class 0 with mean, quantiles, class 1 …
/// Requests that an experiment cannot serve (the table above) give no column.
std::vector<ObservationColumn> observation_columns(
    const ProbeSet& probes, ExperimentKind kind, std::uint32_t job_classes
);

}  // namespace schedfarm::engine
