// Jobs of a log in the Standard Workload Format.
#include <algorithm>
#include <memory>
#include <string>

#include "engine/foundation/expect.hpp"
#include "engine/simulation/workload_model.hpp"

#include "models/estimates.hpp"
#include "models/job_columns.hpp"
#include "models/trace/clock.hpp"
#include "models/trace/log_error.hpp"
#include "models/trace/prepared_log.hpp"
#include "models/trace/resampling.hpp"
#include "models/trace/trace_settings.hpp"

namespace schedfarm::models {

namespace {

using engine::ExperimentKind;
using engine::JobBlock;
using engine::ParameterProblem;
using engine::Parameters;
using engine::Purpose;
using engine::Stream;
using engine::Value;
using engine::WorkloadContext;
using engine::WorkloadTraits;
using trace::JobList;
using trace::Resampling;
using trace::TraceSettings;

/// What the log's load is multiplied by.
double load_factor(
    const TraceSettings& settings, const trace::PreparedLog& log, const WorkloadContext& context
) {
    if (!context.utilization || log.offered_area_per_s <= 0) {
        return settings.load_factor;
    }
    return *context.utilization * context.system.processors() / log.offered_area_per_s;
}

/// A resampled log is a lap; another lap, drawn anew, follows it where more jobs are needed.
class Trace final : public engine::WorkloadModel {
  public:
    Trace(const Parameters& parameters, const WorkloadContext& context)
        : settings_(parameters)
        , log_(trace::prepared_log(settings_))
        , load_factor_(load_factor(settings_, *log_, context))
        , stream_(context.seed, Purpose::resampling, context.replication, context.generator)
        , lap_weeks_(lap_weeks())
        , estimates_(make_estimates(
              parameters.choice("estimates"),
              {context.seed, Purpose::estimates, context.replication, context.generator}
          )) {
        traits_.max_size = log_->max_size;
    }

    const WorkloadTraits& traits() const override { return traits_; }

    void next(JobBlock& block) override {
        while (place_ == lap_.size() && (laps_ == 0 || settings_.resampling != Resampling::none)) {
            begin_lap();
        }
        const std::size_t count = std::min(JobBlock::capacity, lap_.size() - place_);
        begin_block(block, next_index_, count);
        block.component_stride = 1;
        block.structure = engine::RequestStructure::total;
        append(block.submit_time, lap_.submit, count);
        append(block.service_time, lap_.run, count);
        append(block.estimate, lap_.request, count);
        append(block.size, lap_.processors, count);
        append(block.components, lap_.processors, count);
        for (std::size_t i = place_; i < place_ + count; ++i) {
            block.user.push_back(static_cast<std::uint32_t>(std::max(lap_.user[i], 0)));
        }
        place_ += count;
        next_index_ += count;
    }

  private:
    std::uint32_t lap_weeks() const {
        return settings_.resampling == Resampling::weeks
                   ? trace::whole_weeks(log_->jobs, log_->week_start).count
                   : trace::weeks_spanned(log_->jobs);
    }

    JobList drawn_jobs(std::uint64_t first_word) const {
        switch (settings_.resampling) {
            case Resampling::users:
                return trace::resample_users(log_->jobs, lap_weeks_, stream_, first_word);
            case Resampling::weeks:
                return trace::resample_weeks(
                    log_->jobs, log_->week_start, lap_weeks_, stream_, first_word
                );
            case Resampling::none:
                break;
        }
        return log_->jobs;
    }

    void begin_lap() {
        // Lap l draws its jobs from the words l · 2^32 on and shakes them from 2^63 + l · 2^32 on.
        const std::uint64_t first_word = laps_ << 32;
        lap_ = drawn_jobs(first_word);
        place_ = 0;
        const double begin = static_cast<double>(laps_) * lap_weeks_ * trace::week_s;
        for (double& submit : lap_.submit) {
            submit += begin;
        }
        if (settings_.shake_s > 0) {
            lap_ =
                trace::shake(lap_, settings_.shake_s, stream_, first_word | std::uint64_t{1} << 63);
        }
        // Neither scaling nor shaking may take a job before the last one of the lap before.
        const double first = log_->jobs.submit.front();
        for (double& submit : lap_.submit) {
            if (load_factor_ != 1) {
                submit = first + (submit - first) / load_factor_;
            }
            submit = std::max(submit, last_submit_);
        }
        last_submit_ = lap_.submit.empty() ? last_submit_ : lap_.submit.back();
        estimates_->assign(next_index_, lap_.run, lap_.request);
        ++laps_;
    }

    template <typename T>
    void append(std::vector<T>& to, const std::vector<T>& from, std::size_t count) const {
        const auto begin = from.begin() + static_cast<std::ptrdiff_t>(place_);
        to.insert(to.end(), begin, begin + static_cast<std::ptrdiff_t>(count));
    }

    TraceSettings settings_;
    std::shared_ptr<const trace::PreparedLog> log_;
    double load_factor_;
    Stream stream_;
    std::uint32_t lap_weeks_;
    std::unique_ptr<const EstimateModel> estimates_;
    WorkloadTraits traits_;
    JobList lap_;
    std::size_t place_ = 0;
    std::uint64_t laps_ = 0;  ///< begun
    std::uint64_t next_index_ = 0;
    double last_submit_ = 0;
};

/// The error of a log as a problem of the parameter `file`.
ParameterProblem problem_of(const trace::LogError& error) {
    const std::string text = error.what();
    const std::size_t end = text.rfind("). ");
    if (end == std::string::npos) {
        return {"file", text, ""};
    }
    return {"file", text.substr(0, end + 1), text.substr(end + 3)};
}

std::vector<ParameterProblem> parameter_problems(const Parameters& parameters) {
    std::vector<ParameterProblem> problems = trace::interval_problems(parameters);
    if (problems.empty()) {
        try {
            trace::prepared_log(TraceSettings(parameters));
        } catch (const trace::LogError& error) {
            problems.push_back(problem_of(error));
        }
    }
    return problems;
}

std::vector<ParameterProblem> system_problems(
    const Parameters& parameters, const engine::SystemDescription& system
) {
    const auto log = trace::prepared_log(TraceSettings(parameters));
    if (log->max_size <= system.processors()) {
        return {};
    }
    const std::string processors = std::to_string(system.processors());
    return {
        {"sizes",
         "a job of the log needs " + std::to_string(log->max_size) + " processors (the system has "
             + processors + ": it could not run)",
         "Write sizes: [1, " + processors + "]?"}};
}

std::vector<engine::ParameterDescription> parameter_table() {
    std::vector<engine::ParameterDescription> result = trace::trace_parameters();
    result.push_back(estimates_parameter());
    return result;
}

std::vector<engine::WorkloadExample> examples() {
    std::vector<engine::WorkloadExample> result;
    for (const char* resampling : {"users", "weeks", "none"}) {
        Parameters given;
        given.set("file", "example");
        given.set("resampling", resampling);
        result.push_back({with_defaults(parameter_table(), given), {.clusters = {64}}});
    }
    result[1].parameters.set("shake", 30);
    result[1].parameters.set("estimates", engine::Choice{.name = "tsafrir"});
    result[2].parameters.set("sizes", Value::List{1.0, 8.0});
    result[2].parameters.set("from", "2000-01-10");
    return result;
}

}  // namespace

engine::WorkloadModelDescription describe_trace() {
    return {
        .alternative =
            {.name = "trace",
             .summary =
                 "Jobs of a log in the Standard Workload Format; replications by resampling.",
             .parameters = parameter_table(),
             .check = parameter_problems,
             .source = "Chapin et al. 1999; Zakay & Feitelson 2013; Tsafrir et al. 2007"},
        .experiments = {ExperimentKind::trace},
        .make = [](const Parameters& parameters, const WorkloadContext& context
                ) { return std::make_unique<Trace>(parameters, context); },
        .check_system = system_problems,
        .examples = examples()};
}

}  // namespace schedfarm::models
