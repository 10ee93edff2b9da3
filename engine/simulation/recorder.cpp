#include "engine/simulation/recorder.hpp"

#include <vector>

#include "engine/foundation/expect.hpp"
#include "engine/simulation/probe_meters.hpp"

namespace schedfarm::engine {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double ratio(double numerator, double denominator) {
    return denominator > 0 ? numerator / denominator : nan;
}

bool sums_are_enough(const Experiment& experiment, const ProbeSet& probes) {
    if (experiment.kind == ExperimentKind::saturated
        || experiment.kind == ExperimentKind::offline) {
        return false;
    }
    return std::none_of(
        probes.requests.begin(),
        probes.requests.end(),
        [](const ProbeRequest& request) {
            return is_time_average(request.metric) || ProbeMeters::needs_meter(request);
        }
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
        experiment.kind != ExperimentKind::bin_filling,
        "a Recorder was made for bin filling. BinFillingRecorder?"
    );
    SCHEDFARM_EXPECT(
        experiment.horizon.warm_up_jobs < experiment.horizon.jobs, "a horizon measures no job"
    );
    if (!sums_are_enough(experiment, probes)) {
        meters_ = std::make_unique<ProbeMeters>(experiment, probes, processors_, job_classes);
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
            meters_->busy->add(job.start_time, job.finish_time, job.size);
        }
    }
    if (meters_->waiting) {
        meters_->waiting->add(job.submit_time, job.start_time, 1);
    }
    meters_->makespan = std::max(meters_->makespan, job.finish_time);
    meters_->weighted_completion += job.weight * job.finish_time;
    if (job.index >= first_measured_) {
        for (JobMeter& meter : meters_->job_meters) {
            meter.add(job);
        }
    }
}

void Recorder::add_start(double time) {
    SCHEDFARM_EXPECT(feed_ == RecordFeed::at_completion, "a start was added twice");
    if (meters_ && meters_->saturation) {
        meters_->saturation->add_start(time);
    }
}

void Recorder::add_occupation(double begin, double end, std::uint32_t processors) {
    SCHEDFARM_EXPECT(feed_ == RecordFeed::at_completion, "an occupation was added twice");
    if (meters_ && meters_->saturation) {
        meters_->saturation->add_past(begin, end, processors);
    }
    if (meters_ && meters_->busy) {
        meters_->busy->add(begin, end, processors);
    }
}

double Recorder::backlog_growth() const {
    const auto first = static_cast<double>(second_half_ - first_measured_);
    const auto second = static_cast<double>(experiment_.horizon.jobs - second_half_);
    const double rise = ratio(queueing_sum_[1], second) - ratio(queueing_sum_[0], first);
    const double length = (last_submit_ - first_submit_) / 2;
    return length > 0 ? rise / length : nan;
}

Observations Recorder::finish() {
    Observations result{.values = {}, .fingerprint = fingerprint_, .jobs = jobs_};
    if (experiment_.kind == ExperimentKind::saturated) {
        append_saturation(*meters_->saturation, processors_, result.values);
        return result;
    }
    const bool offline = experiment_.kind == ExperimentKind::offline;
    if (offline) {
        result.values = {meters_->makespan, meters_->weighted_completion};
    } else {
        result.values = {backlog_growth()};
    }
    append_requests(result.values);
    return result;
}

void Recorder::append_requests(std::vector<double>& out) {
    const bool offline = experiment_.kind == ExperimentKind::offline;
    double length = 0;
    if (offline || experiment_.window) {
        length = offline ? meters_->makespan : experiment_.window->end - experiment_.window->begin;
    }
    const auto measured = static_cast<double>(experiment_.horizon.jobs - first_measured_);
    std::size_t next_meter = 0;
    for (const ProbeRequest& request : probes_.requests) {
        if (request.metric == Metric::gross_utilization) {
            out.push_back(ratio(meters_->busy->area(), processors_ * length));
            continue;
        }
        if (request.metric == Metric::queue_length) {
            out.push_back(ratio(meters_->waiting->area(), length));
            continue;
        }
        if (request.metric == Metric::response_time) {
            out.push_back(response_sum_ / measured);
        } else if (request.metric == Metric::queueing_time) {
            out.push_back((queueing_sum_[0] + queueing_sum_[1]) / measured);
        } else {
            out.push_back(meters_->job_meters.at(next_meter).all.mean());
        }
        if (ProbeMeters::needs_meter(request)) {
            meters_->job_meters.at(next_meter++).append_details(out);
        }
    }
}

}  // namespace schedfarm::engine
