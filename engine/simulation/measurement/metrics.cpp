#include "engine/simulation/measurement/metrics.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include "engine/simulation/measurement/recorder.hpp"

namespace schedfarm::engine {

namespace {

double response_time(const JobRecord& job, double) {
    return job.finish_time - job.submit_time;
}

double area(const JobRecord& job) {
    return job.size * job.service_time;
}

double wait(const JobRecord& job, double) {
    return job.start_time - job.submit_time;
}

double slowdown(const JobRecord& job, double threshold) {
    const double response = response_time(job, threshold);
    if (job.service_time > 0) {
        return response / job.service_time;
    }
    return response > 0 ? std::numeric_limits<double>::infinity() : 1;
}

double bounded_slowdown(const JobRecord& job, double threshold) {
    return std::max(1.0, response_time(job, threshold) / std::max(job.service_time, threshold));
}

/// Zotkin & Keleher 1999: a job of many processors that waits as long as one of few has waited
/// less.
double per_processor_slowdown(const JobRecord& job, double threshold) {
    const double time = std::max(job.service_time, threshold);
    return std::max(1.0, response_time(job, threshold) / (job.size * time));
}

double service_time(const JobRecord& job, double) {
    return job.service_time;
}

double job_size(const JobRecord& job, double) {
    return job.size;
}

constexpr auto all_metrics = std::to_array<MetricDescription>({
    {Metric::response_time,
     "response_time",
     "time",
     not_negative,
     "finish - submit",
     MetricKind::of_jobs,
     true,
     response_time},
    {Metric::weighted_response_time,
     "weighted_response_time",
     "time",
     not_negative,
     "finish - submit, weighted by processors * service time",
     MetricKind::of_jobs,
     true,
     response_time,
     area},
    {Metric::wait,
     "wait",
     "time",
     not_negative,
     "first start - submit",
     MetricKind::of_jobs,
     true,
     wait},
    {Metric::slowdown,
     "slowdown",
     "1",
     one_or_more,
     "(finish - submit) / service",
     MetricKind::of_jobs,
     true,
     slowdown},
    {Metric::bounded_slowdown,
     "bounded_slowdown",
     "1",
     one_or_more,
     "max(1, (finish - submit) / max(service, threshold))",
     MetricKind::of_jobs,
     true,
     bounded_slowdown,
     nullptr,
     true},
    {Metric::per_processor_slowdown,
     "per_processor_slowdown",
     "1",
     one_or_more,
     "max(1, (finish - submit) / (processors * max(service, threshold)))",
     MetricKind::of_jobs,
     true,
     per_processor_slowdown,
     nullptr,
     true},
    {Metric::service_time,
     "service_time",
     "time",
     not_negative,
     "service time",
     MetricKind::of_jobs,
     false,
     service_time},
    {Metric::job_size,
     "job_size",
     "processors",
     not_negative,
     "processors of the job",
     MetricKind::of_jobs,
     false,
     job_size},
    {Metric::fair_start_miss,
     "fair_start_miss",
     "time",
     not_negative,
     "max(0, first start - start if from its submission on all jobs started in order of "
     "submission)",
     MetricKind::of_jobs,
     true},
    {Metric::interarrival_time,
     "interarrival_time",
     "time",
     not_negative,
     "Mean time between the submissions of the measured jobs",
     MetricKind::of_arrivals,
     false},
    {Metric::utilization,
     "utilization",
     "1",
     a_share,
     "Processors * service time of the measured jobs / (processors * time from the first of their "
     "submissions to their last end)",
     MetricKind::to_the_end,
     false},
    {Metric::gross_utilization,
     "gross_utilization",
     "1",
     a_share,
     "Busy processor-time / (processors * length of the measurement window)",
     MetricKind::time_average,
     false},
    {Metric::loss_of_capacity,
     "loss_of_capacity",
     "1",
     a_share,
     "Processor-time that is idle while a job waits for its first start / (processors * length of "
     "the measurement window)",
     MetricKind::time_average,
     true},
    {Metric::queue_length,
     "queue_length",
     "1",
     not_negative,
     "Time average of the number of jobs that have not started yet over the measurement window",
     MetricKind::time_average,
     true},
    {Metric::own, "own", "1", any_value, "an expression", MetricKind::of_jobs, true},
});

constexpr bool is_in_order() {
    for (std::size_t i = 0; i < all_metrics.size(); ++i) {
        if (static_cast<std::size_t>(all_metrics[i].metric) != i) {
            return false;
        }
    }
    return true;
}
static_assert(is_in_order());

}  // namespace

std::span<const MetricDescription> metrics() {
    return std::span(all_metrics).first(all_metrics.size() - 1);
}

const MetricDescription& description_of(Metric metric) {
    return all_metrics[static_cast<std::size_t>(metric)];
}

const MetricDescription* find_metric(std::string_view name) {
    const auto known = metrics();
    const auto found = std::find_if(known.begin(), known.end(), [name](const auto& description) {
        return name == description.name;
    });
    return found == known.end() ? nullptr : &*found;
}

}  // namespace schedfarm::engine
