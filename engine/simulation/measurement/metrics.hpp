// The metrics: what each is called, what it means and how it is computed. Probes, columns, the
// reference page and the campaign's checks follow from these descriptions.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "engine/statistics/bounded_interval.hpp"

namespace schedfarm::engine {

struct JobRecord;  // engine/simulation/measurement/recorder.hpp

/// In the order of metrics().
enum class Metric : std::uint8_t {
    response_time,
    weighted_response_time,
    wait,
    slowdown,
    bounded_slowdown,
    per_processor_slowdown,
    service_time,
    job_size,
    fair_start_miss,
    interarrival_time,
    utilization,
    gross_utilization,
    loss_of_capacity,
    queue_length,
    own,  ///< of a campaign: engine/simulation/measurement/own_metric.hpp. None of metrics()
};

enum class MetricKind : std::uint8_t {
    of_jobs,       ///< a number of each job, averaged over the measured jobs
    of_arrivals,   ///< of the measured jobs together; only where jobs arrive
    to_the_end,    ///< of the measured jobs together, until the last of them ends
    time_average,  ///< over the measurement window
};

struct MetricDescription {
    Metric metric;
    const char* name;     ///< by which campaigns and columns name it: "response_time"
    const char* unit;     ///< "time", "processors", "1"
    ValueRange range;     ///< of the numbers of jobs, of their means and quantiles, of averages
    const char* meaning;  ///< of one job, or of the time average
    MetricKind kind;
    bool depends_on_queue;  ///< grows with it; what jobs bring along, and the load, do not
    /// The number of one job, with the `threshold` of its meaning; null: it is none of a job alone.
    double (*of_job)(const JobRecord& job, double threshold) = nullptr;
    /// What a job counts in the mean; null: all count alike.
    double (*weight)(const JobRecord& job) = nullptr;
    bool has_threshold = false;  ///< its meaning names one, which campaigns give
};

std::span<const MetricDescription> metrics();
const MetricDescription& description_of(Metric metric);
/// Null where no metric has this name.
const MetricDescription* find_metric(std::string_view name);

}  // namespace schedfarm::engine
