#include "engine/simulation/measurement/probe_meters.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "engine/foundation/expect.hpp"
#include "engine/foundation/special_values.hpp"
#include "engine/simulation/measurement/own_metric.hpp"
#include "engine/simulation/measurement/sketches.hpp"
#include "engine/statistics/quantile.hpp"

namespace schedfarm::engine {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
bool asks_for(const ProbeSet& probes, Metric metric) {
    return std::any_of(
        probes.requests.begin(),
        probes.requests.end(),
        [metric](const ProbeRequest& request) { return request.metric == metric; }
    );
}

// What the requests of a time average want together.
TimeDetails details_of(const ProbeSet& probes, Metric metric, std::uint32_t job_classes) {
    TimeDetails details;
    for (const ProbeRequest& request : probes.requests) {
        if (request.metric == metric) {
            details.classes = request.per_class ? job_classes : details.classes;
            details.has_quantiles =
                details.has_quantiles
                || (metric == Metric::queue_length && !request.quantiles.empty());
        }
    }
    return details;
}

// Off-line, time averages run from 0 to the last completion, which is known only at the end.
MeasurementWindow window_of(const Experiment& experiment) {
    if (experiment.kind.starts_with_all()) {
        return {.begin = 0, .end = infinity};
    }
    SCHEDFARM_EXPECT(
        experiment.window.has_value(),
        "a time average was asked for without a measurement window. Set Experiment::window with "
        "measurement_window()."
    );
    return *experiment.window;
}

}  // namespace

JobSample::JobSample(const ProbeRequest& request)
    : keeps_values_(!request.quantiles.empty()), keeps_sketch_(keeps_sketch(request)) {}

double JobSample::mean() const {
    return weights_ == 0 ? nan : sum_ / weights_;
}

double JobSample::largest_share() const {
    return weights_ == 0 ? nan : largest_ / sum_;
}

void JobSample::append_quantiles(
    const std::vector<double>& probabilities, std::vector<double>& out
) {
    for (const double p : probabilities) {
        out.push_back(values_.empty() ? nan : sample_quantile(values_, p));
    }
}

void JobSample::append_sketch(std::vector<SketchBuckets>& out) const {
    if (keeps_sketch_) {
        out.push_back(sketch_.buckets());
    }
}

void JobMeter::add(const JobRecord& job) {
    if (request.own) {
        add_own(job);
        return;
    }
    const MetricDescription& metric = description_of(request.metric);
    SCHEDFARM_EXPECT(
        metric.of_job != nullptr,
        std::string(metric.name) + " was taken for a number of a job alone"
    );
    add(metric.of_job(job, request.threshold),
        job.index,
        job.job_class,
        metric.weight == nullptr ? 1 : metric.weight(job));
}

void JobMeter::add_own(const JobRecord& job) {
    const double value = request.own->of_job(job, stack);
    if (value < 0 && keeps_sketch(request)) {
        throw std::runtime_error(fmt::format(
            "metric '{}' of job {} is negative ({:.6g}), which quantiles and sketches do not take. "
            "Take max(0, …), or ask for the mean alone.",
            description_of(request).name,
            job.index,
            value
        ));
    }
    add(value, job.index, job.job_class);
}

void JobMeter::add(double value, std::uint64_t index, std::uint32_t job_class, double weight) {
    all.add(value, weight);
    ++jobs;
    positive += value > 0 ? 1U : 0U;
    if (request.per_class) {
        SCHEDFARM_EXPECT(
            job_class < by_class.size(),
            "job " + std::to_string(index) + " is of class " + std::to_string(job_class)
                + ", beyond the classes that the workload declared"
        );
        by_class[job_class].add(value, weight);
    }
}

void JobMeter::append_details(std::vector<double>& out) {
    all.append_quantiles(request.quantiles, out);
    if (description_of(request.metric).weight != nullptr) {
        out.push_back(all.weights());
    } else if (request.metric == Metric::slowdown) {
        out.push_back(all.largest_share());
    }
    for (JobSample& sample : by_class) {
        out.push_back(sample.mean());
        sample.append_quantiles(request.quantiles, out);
        out.push_back(sample.weights());
    }
}

void JobMeter::append_sketches(std::vector<SketchBuckets>& out) const {
    all.append_sketch(out);
    for (const JobSample& sample : by_class) {
        sample.append_sketch(out);
    }
}

double IdleWhileWaiting::area(double processors) const {
    std::vector<Period> waits = waits_;
    std::sort(waits.begin(), waits.end(), [](const Period& a, const Period& b) {
        return a.begin < b.begin;
    });
    std::vector<Period> periods;  // disjoint and in order; height: the length of those before
    double length = 0;
    for (const Period& wait : waits) {
        if (periods.empty() || wait.begin > periods.back().end) {
            periods.push_back({.begin = wait.begin, .end = wait.end, .height = length});
        } else {
            periods.back().end = std::max(periods.back().end, wait.end);
        }
        length = periods.back().height + (periods.back().end - periods.back().begin);
    }
    const auto length_until = [&](double time) {
        const auto next =
            std::upper_bound(periods.begin(), periods.end(), time, [](double t, const Period& p) {
                return t < p.begin;
            });
        if (next == periods.begin()) {
            return 0.0;
        }
        const Period& period = *std::prev(next);
        return period.height + (std::min(time, period.end) - period.begin);
    };
    double busy = 0;
    for (const Period& job : busy_) {
        busy += job.height * (length_until(job.end) - length_until(job.begin));
    }
    return idle_area(processors, length, busy);
}

SaturationMeter::SaturationMeter(std::uint64_t warm_up_jobs, std::uint32_t processors)
    : warm_up_jobs_(warm_up_jobs), most_kept_(2 * std::size_t{processors} + 64) {
    running_.reserve(most_kept_);
}

void SaturationMeter::add_start(double time) {
    end_ = time;
    if (started_++ == warm_up_jobs_) {
        begin_ = time;
        area_ = 0;
        for (const Occupation& job : running_) {
            area_ += job.end > time ? job.processors * (job.end - time) : 0;
        }
    }
}

void SaturationMeter::add_running(double end, std::uint32_t processors) {
    if (running_.size() == most_kept_) {
        std::erase_if(running_, [now = end_](const Occupation& job) { return job.end <= now; });
    }
    running_.push_back({.end = end, .processors = static_cast<double>(processors)});
    area_ += static_cast<double>(processors) * (end - end_);
}

void SaturationMeter::add_past(double begin, double end, std::uint32_t processors) {
    const double from = begin_ > begin ? begin_ : begin;  // begin while begin_ is unknown
    area_ += static_cast<double>(processors) * (end - from);
}

double SaturationMeter::busy_area() const {
    double overhang = 0;
    for (const Occupation& job : running_) {
        overhang += job.end > end_ ? job.processors * (job.end - end_) : 0;
    }
    return area_ - overhang;
}

std::uint64_t SaturationMeter::starts_measured() const {
    return started_ > warm_up_jobs_ ? started_ - warm_up_jobs_ - 1 : 0;
}

ProbeMeters::ProbeMeters(
    const Experiment& experiment,
    const ProbeSet& probes,
    std::uint32_t processors,
    std::uint32_t job_classes
) {
    if (experiment.kind.keeps_backlog()) {
        saturation.emplace(experiment.horizon.warm_up_jobs, processors);
        return;
    }
    if (starts_with_backlog(experiment)) {
        backlog.emplace(experiment.horizon, processors);
    }
    if (asks_for(probes, Metric::gross_utilization)) {
        busy.emplace(
            window_of(experiment), details_of(probes, Metric::gross_utilization, job_classes)
        );
    }
    if (asks_for(probes, Metric::queue_length)) {
        waiting.emplace(
            window_of(experiment), details_of(probes, Metric::queue_length, job_classes)
        );
    }
    if (asks_for(probes, Metric::loss_of_capacity)) {
        idle.emplace(window_of(experiment));
    }
    for (const ProbeRequest& request : probes.requests) {
        if (needs_meter(request)) {
            const std::size_t classes = request.per_class ? job_classes : 0;
            job_meters.push_back(
                {.request = request,
                 .all = JobSample(request),
                 .by_class = std::vector<JobSample>(classes, JobSample(request))}
            );
        }
    }
}

bool ProbeMeters::needs_meter(const ProbeRequest& request) {
    const bool sum_is_kept =
        request.metric == Metric::response_time || request.metric == Metric::wait;
    return is_job_metric(request.metric)
           && (!sum_is_kept || request.per_class || request.sketch || !request.quantiles.empty());
}

}  // namespace schedfarm::engine
