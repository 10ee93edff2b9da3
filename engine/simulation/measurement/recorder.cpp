#include "engine/simulation/measurement/recorder.hpp"

#include <vector>

#include "engine/foundation/expect.hpp"
#include "engine/simulation/measurement/fair_start.hpp"
#include "engine/simulation/measurement/probe_meters.hpp"

namespace schedfarm::engine {

namespace {

constexpr double not_observed = std::numeric_limits<double>::quiet_NaN();

double length_of(const MeasurementWindow& window) {
    return window.end - window.begin;
}

double ratio(double numerator, double denominator) {
    return denominator > 0 ? numerator / denominator : not_observed;
}

bool sums_are_enough(const Experiment& experiment, const ProbeSet& probes) {
    if (experiment.kind.keeps_backlog() || experiment.kind.starts_with_all()
        || starts_with_backlog(experiment)) {
        return false;
    }
    return std::none_of(
        probes.requests.begin(),
        probes.requests.end(),
        [](const ProbeRequest& request) {
            return is_time_average(request.metric) || request.metric == Metric::utilization
                   || ProbeMeters::needs_meter(request);
        }
    );
}

bool needs_log(const ProbeSet& probes, const Experiment& experiment) {
    return is_observed(Metric::fair_start_miss, experiment)
           && std::any_of(
               probes.requests.begin(),
               probes.requests.end(),
               [](const ProbeRequest& request) { return request.metric == Metric::fair_start_miss; }
           );
}

void append_saturation(
    const SaturationMeter& meter, std::uint32_t processors, std::vector<double>& out
) {
    const double capacity_area = static_cast<double>(processors) * meter.length();
    const double utilization = ratio(meter.busy_area(), capacity_area);
    out.push_back(utilization);
    out.push_back(1 - utilization);
    out.push_back(ratio(static_cast<double>(meter.starts_measured()), meter.length()));
    out.push_back(meter.busy_area());
    out.push_back(capacity_area);
}

}  // namespace

Recorder::Recorder(
    const Experiment& experiment,
    const ProbeSet& probes,
    const SystemDescription& system,
    std::uint32_t job_classes,
    RecordFeed feed
)
    : first_measured_(experiment.horizon.warm_up_jobs)
    , second_half_(first_measured_ + (experiment.horizon.jobs - first_measured_) / 2)
    , experiment_(experiment)
    , probes_(probes)
    , processors_(system.processors())
    , job_classes_(job_classes)
    , feed_(feed) {
    SCHEDFARM_EXPECT(
        experiment.kind.has_time(), "a Recorder was made for bin filling. Use fill_bins()."
    );
    SCHEDFARM_EXPECT(
        experiment.horizon.warm_up_jobs < experiment.horizon.jobs, "a horizon measures no job"
    );
    if (experiment.kind.has_arrivals() && experiment.series_bins > 0) {
        series_.emplace(experiment.horizon.jobs, experiment.series_bins);
    }
    if (!sums_are_enough(experiment, probes)) {
        meters_ = std::make_unique<ProbeMeters>(experiment, probes, processors_, job_classes);
    }
    if (probes_.job_log == nullptr && needs_log(probes, experiment)) {
        own_log_ = std::make_unique<JobLog>();
        probes_.job_log = own_log_.get();
    }
    if (probes_.job_log != nullptr) {
        probes_.job_log->begin(experiment.horizon.jobs);
    }
}

Recorder::~Recorder() = default;

void Recorder::add_to_meters(const JobRecord& job) {
    if (feed_ == RecordFeed::at_start) {
        if (meters_->saturation) {
            meters_->saturation->add_start(job.start_time);
            meters_->saturation->add_running(job.finish_time, job.size);
        }
        if (meters_->busy) {
            meters_->busy->add(job.start_time, job.finish_time, job.size, job.job_class);
        }
        if (meters_->idle) {
            meters_->idle->add_busy(job.start_time, job.finish_time, job.size);
        }
    }
    if (meters_->waiting) {
        meters_->waiting->add(job.submit_time, job.start_time, 1, job.job_class);
    }
    if (meters_->idle) {
        meters_->idle->add_wait(job.submit_time, job.start_time);
    }
    if (meters_->backlog) {
        meters_->backlog->add(
            job.index, job.submit_time, job.start_time, job.size * job.service_time
        );
    }
    meters_->makespan = std::max(meters_->makespan, job.finish_time);
    meters_->weighted_completion += job.weight * job.finish_time;
    if (job.index >= first_measured_) {
        meters_->work += job.size * job.service_time;
        meters_->last_finish = std::max(meters_->last_finish, job.finish_time);
        for (JobMeter& meter : meters_->job_meters) {
            if (meter.request.metric != Metric::fair_start_miss) {
                meter.add(job);
            }
        }
    }
}

void Recorder::add_start(double time) {
    SCHEDFARM_EXPECT(feed_ == RecordFeed::at_completion, "a start was added twice");
    if (meters_ && meters_->saturation) {
        meters_->saturation->add_start(time);
    }
}

void Recorder::add_to_meters(
    double begin, double end, std::uint32_t processors, std::uint32_t job_class
) {
    SCHEDFARM_EXPECT(feed_ == RecordFeed::at_completion, "an occupation was added twice");
    if (meters_->saturation) {
        meters_->saturation->add_past(begin, end, processors);
    }
    if (meters_->busy) {
        meters_->busy->add(begin, end, processors, job_class);
    }
    if (meters_->idle) {
        meters_->idle->add_busy(begin, end, processors);
    }
}

void Recorder::add_fair_start_misses() {
    const JobLog& log = *probes_.job_log;
    const std::vector<double> fair = fair_starts(log, processors_);
    for (JobMeter& meter : meters_->job_meters) {
        for (std::size_t job = first_measured_; job < log.jobs(); ++job) {
            if (meter.request.metric == Metric::fair_start_miss) {
                meter.add(std::max(0.0, log.start[job] - fair[job]), job, log.class_of(job));
            }
        }
    }
}

std::vector<double> Recorder::base_values() const {
    if (experiment_.kind.starts_with_all()) {
        return {meters_->makespan, meters_->weighted_completion};
    }
    if (starts_with_backlog(experiment_)) {
        const BacklogMeter::Change change = meters_->backlog->change();
        return {change.work, change.time};
    }
    const auto first_jobs = static_cast<double>(second_half_ - first_measured_);
    const auto second_jobs = static_cast<double>(experiment_.horizon.jobs - second_half_);
    const double first = ratio(sums_.first_queueing, first_jobs);
    const double second = ratio(sums_.second_queueing, second_jobs);
    const double length = (sums_.last_submit - sums_.first_submit) / 2;
    const double warm_up = ratio(sums_.warm_up_queueing, static_cast<double>(first_measured_));
    return {length > 0 ? (second - first) / length : not_observed, warm_up, first, second};
}

Observations Recorder::finish() {
    Observations result{
        .values = {},
        .fingerprint = sums_.fingerprint,
        .jobs = sums_.jobs,
        .events = 2 * sums_.jobs};
    if (experiment_.kind.keeps_backlog()) {
        append_saturation(*meters_->saturation, processors_, result.values);
        if (probes_.job_log != nullptr) {
            probes_.job_log->submit.assign(probes_.job_log->jobs(), not_observed);
        }
        return result;
    }
    result.values = base_values();
    if (needs_log(probes_, experiment_)) {
        add_fair_start_misses();
    }
    append_requests(result);
    if (series_) {
        result.series = series_->means();
    }
    return result;
}

Observations Recorder::finish_early(const QueueOverflow& overflow) const {
    const std::uint64_t jobs = overflow.jobs_submitted;
    if (probes_.job_log != nullptr) {
        probes_.job_log->begin(0);
    }
    Observations result;
    result.values.assign(
        observation_columns(probes_, experiment_, job_classes_).size(), not_observed
    );
    result.fingerprint = schedule_hash(jobs, overflow.time, overflow.time);
    result.jobs = jobs;
    result.events = jobs;
    result.overflow = overflow;
    return result;
}

MeasurementWindow Recorder::window() const {
    return experiment_.kind.starts_with_all() ? MeasurementWindow{0, meters_->makespan}
                                              : *experiment_.window;
}

double Recorder::mean_of(const ProbeRequest& request, const JobMeter* meter) const {
    const auto measured = static_cast<double>(experiment_.horizon.jobs - first_measured_);
    switch (request.metric) {
        case Metric::response_time:
            return sums_.response / measured;
        case Metric::wait:
            return (sums_.first_queueing + sums_.second_queueing) / measured;
        case Metric::interarrival_time:
            // The first job of a log comes after none, that of a model after the start at 0.
            return first_measured_ > 0 || experiment_.kind.is_open()
                       ? (sums_.last_submit - sums_.warm_up_submit) / measured
                       : ratio(sums_.last_submit - sums_.first_submit, measured - 1);
        case Metric::utilization:
            return ratio(meters_->work, processors_ * (meters_->last_finish - sums_.first_submit));
        case Metric::gross_utilization:
            return ratio(meters_->busy->area(), processors_ * length_of(window()));
        case Metric::loss_of_capacity:
            return ratio(meters_->idle->area(processors_), processors_ * length_of(window()));
        case Metric::queue_length:
            return ratio(meters_->waiting->area(), length_of(window()));
        default:
            SCHEDFARM_EXPECT(meter != nullptr, "a job metric has no meter");
            return meter->all.mean();
    }
}

void Recorder::append_time_details(const ProbeRequest& request, std::vector<double>& out) {
    if (request.metric == Metric::gross_utilization && request.per_class) {
        for (std::uint32_t c = 0; c < job_classes_; ++c) {
            out.push_back(ratio(meters_->busy->area_of_class(c), processors_ * length_of(window()))
            );
        }
    }
    if (request.metric != Metric::queue_length) {
        return;
    }
    TimeMeter& waiting = *meters_->waiting;
    const bool has_quantiles = !request.quantiles.empty();
    if (has_quantiles) {
        waiting.lengths().append_quantiles(request.quantiles, window().end, out);
    }
    for (std::uint32_t c = 0; request.per_class && c < job_classes_; ++c) {
        out.push_back(ratio(waiting.area_of_class(c), length_of(window())));
        if (has_quantiles) {
            waiting.lengths_of_class(c).append_quantiles(request.quantiles, window().end, out);
        }
    }
}

void Recorder::append_requests(Observations& result) {
    std::size_t next_meter = 0;
    for (const ProbeRequest& request : probes_.requests) {
        if (!is_observed(request.metric, experiment_)) {
            continue;
        }
        JobMeter* meter =
            ProbeMeters::needs_meter(request) ? &meters_->job_meters.at(next_meter++) : nullptr;
        result.values.push_back(mean_of(request, meter));
        append_time_details(request, result.values);
        if (meter != nullptr) {
            if (request.metric == Metric::fair_start_miss) {
                result.values.push_back(meter->share_above_zero());
            }
            meter->append_details(result.values);
            meter->append_sketches(result.sketches);
        }
    }
}

}  // namespace schedfarm::engine
