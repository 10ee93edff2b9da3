// The jobs of any rigid workload, a log or a model, at a utilization that so many of them offer
// exactly: all submits are multiplied by one factor, days and nights included, so that the first
// `count` jobs have processors x run time = utilization x processors of the system x time from the
// first submit to the last. Their number is what a study simulates (Esbaugh 2010, section 6.1:
// workloads of 10,000 jobs at 80 to 85 %), and a sample as long as a study differs from the mean of
// its model. Times may be cut to whole seconds, as simulators of logs have them. Sizes and all else
// stay. Draws nothing.
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "models/workload_version.hpp"

namespace schedfarm::models {

namespace {

using engine::Choice;
using engine::JobBlock;
using engine::Parameters;
using engine::ParameterType;
using engine::WorkloadContext;

double whole_run_time(double time) {
    return std::max(1.0, std::floor(time));
}

class ScaledVersion final : public VersionOfJobs {
  public:
    ScaledVersion(
        std::unique_ptr<engine::WorkloadModel> original,
        const Parameters& given,
        const WorkloadContext& context
    )
        : VersionOfJobs(std::move(original)), is_whole_(given.boolean("whole_seconds")) {
        // Those of the original.
        traits_.mean_interarrival_time.reset();
        if (is_whole_) {
            traits_.mean_service_time.reset();
        }
        if (given.real("utilization") > 0) {
            draw_first(static_cast<std::uint64_t>(given.integer("count")));
            const double processors = context.system.processors();
            factor_ = factor(given.real("utilization") * processors, given.integer("count"));
        }
    }

    void next(JobBlock& block) override {
        if (place_ < first_.size()) {
            std::swap(block, first_[place_++]);
        } else {
            draw(block);
        }
        for (std::size_t i = 0; i < block.count; ++i) {
            const double scaled = block.submit_time[i] * factor_;
            const double submit = is_whole_ ? std::floor(scaled) : scaled;
            if (!block.fixed_start.empty()) {
                block.fixed_start[i] += submit - block.submit_time[i];  // the lead time stays
            }
            block.submit_time[i] = submit;
        }
    }

  private:
    /// The original's next jobs, with the run times of this version.
    void draw(JobBlock& block) {
        original_->next(block);
        if (is_whole_) {
            for (auto* column : {&block.service_time, &block.estimate}) {
                std::transform(column->begin(), column->end(), column->begin(), whole_run_time);
            }
        }
    }

    void draw_first(std::uint64_t count) {
        std::uint64_t drawn = 0;
        do {
            draw(first_.emplace_back());
            drawn += first_.back().count;
        } while (drawn < count && first_.back().count > 0);
    }

    /// What submits are multiplied by, so that the first `count` jobs offer so many processors in
    /// use; 1 where they come at one instant.
    double factor(double busy_processors, std::int64_t count) const {
        double area = 0;
        double last = 0;
        for (const JobBlock& block : first_) {
            for (std::size_t i = 0; i < block.count && count > 0; ++i, --count) {
                area += block.size[i] * block.service_time[i];
                last = block.submit_time[i];
            }
        }
        const double duration = first_[0].count > 0 ? last - first_[0].submit_time[0] : 0;
        return duration > 0 && area > 0 ? area / (busy_processors * duration) : 1;
    }

    bool is_whole_;
    std::vector<JobBlock> first_;  // those that the factor is made of
    std::size_t place_ = 0;        // of the next one in it
    double factor_ = 1;
};

std::vector<engine::ParameterDescription> scaled_version_parameters() {
    return {
        {.name = "utilization",
         .meaning = "processors x run times of the first 'count' jobs, by the processors of the "
                    "system and the time from their first submit to their last; 0: submits stay",
         .default_value = 0.825,
         .range = {.low = 0, .high = 10}},
        {.name = "count",
         .meaning = "jobs that offer this utilization; those behind them come at the same scale",
         .unit = "jobs",
         .type = ParameterType::integer,
         .default_value = 10000,
         .range = {.low = 2, .high = 1e9}},
        {.name = "whole_seconds",
         .meaning = "cut submits, run times and requested times to whole seconds, run times and "
                    "requests to 1 at least",
         .type = ParameterType::boolean,
         .default_value = false}};
}

std::vector<engine::WorkloadExample> scaled_version_examples() {
    Parameters of_log;
    of_log.set("jobs", example_log());
    of_log.set("utilization", 0.0);
    of_log.set("whole_seconds", true);
    Parameters of_model;
    of_model.set("jobs", Choice{.name = "lublin_feitelson"});
    of_model.set("count", 1000);
    return {{of_log, {.clusters = {64}}}, {of_model, {.clusters = {128}}}};
}

}  // namespace

engine::WorkloadModelDescription describe_scaled_version() {
    return describe_version<ScaledVersion>(
        {.alternative =
             {.name = "scaled_version",
              .summary = "The jobs of a workload, their submits scaled to a utilization.",
              .parameters = scaled_version_parameters(),
              .source = "Esbaugh 2010, section 6.1"},
         .original = {.name = "jobs", .meaning = "the workload whose submits are scaled"},
         .place = 10,
         .except = {WorkloadVersion::Jobs::moldable},  // their area is not known
         .draws = [](const Parameters& /*given*/) { return false; },
         .examples = scaled_version_examples()}
    );
}

}  // namespace schedfarm::models
