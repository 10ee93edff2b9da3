#include "models/rigid/rigid_workload.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "models/begin_block.hpp"
#include "models/draws.hpp"
#include "models/rigid/estimates.hpp"

namespace schedfarm::models {

namespace {

using engine::ExperimentKind;
using engine::JobBlock;
using engine::WorkloadContext;
using engine::WorkloadTraits;

constexpr double day_s = 86400;

/// Where the jobs end; infinite: nowhere.
double end_of(const engine::Parameters& parameters, const WorkloadContext& context) {
    const double days = parameters.real("days");
    return context.experiment.has_arrivals() && !context.experiment.is_open() && days > 0
               ? days * day_s
               : std::numeric_limits<double>::infinity();
}

class RigidWorkload final : public engine::WorkloadModel {
  public:
    RigidWorkload(
        std::unique_ptr<RigidJobSource> source,
        WorkloadTraits traits,
        const engine::Parameters& parameters,
        const WorkloadContext& context
    )
        : source_(std::move(source))
        , traits_(std::move(traits))
        , has_submits_(context.experiment.has_arrivals())
        , end_(end_of(parameters, context))
        , estimates_(make_estimates(
              parameters.choice("estimates"), stream_of(context, engine::Purpose::estimates)
          )) {}

    const WorkloadTraits& traits() const override { return traits_; }

    void next(JobBlock& block) override {
        begin_block(block, next_index_, 0);
        block.component_stride = 1;
        block.structure = engine::RequestStructure::total;
        while (block.count < JobBlock::capacity && !is_at_end()) {
            append(block);
        }
        next_index_ += block.count;
    }

  private:
    /// Draws a window where the last one is used up.
    bool is_at_end() {
        if (place_ == jobs_.size()) {
            draw_window();
        }
        return jobs_.empty();
    }

    void append(JobBlock& block) {
        const RigidJob& job = jobs_[place_];
        block.submit_time.push_back(has_submits_ ? job.submit : 0);
        block.service_time.push_back(job.run);
        block.estimate.push_back(estimate_[place_]);
        block.size.push_back(job.size);
        block.components.push_back(job.size);
        if (traits_.job_classes > 1) {
            block.job_class.push_back(job.job_class);
        }
        ++place_;
        ++block.count;
    }

    /// The next jobs that get their estimates together, at least a block; fewer at the end.
    void draw_window() {
        const std::size_t count = std::max(JobBlock::capacity, estimates_->window());
        jobs_.clear();
        place_ = 0;
        while (jobs_.size() < count && !is_over_) {
            const RigidJob job = source_->next();
            is_over_ = job.submit >= end_;
            if (!is_over_) {
                jobs_.push_back(job);
            }
        }
        std::vector<double> run;
        for (const RigidJob& job : jobs_) {
            run.push_back(job.run);
        }
        estimate_ = run;
        estimates_->assign(drawn_, run, estimate_);
        drawn_ += jobs_.size();
    }

    std::unique_ptr<RigidJobSource> source_;
    WorkloadTraits traits_;
    bool has_submits_;
    double end_;
    bool is_over_ = false;
    std::unique_ptr<const EstimateModel> estimates_;
    std::vector<RigidJob> jobs_;    ///< the window
    std::vector<double> estimate_;  ///< of the jobs of the window
    std::size_t place_ = 0;         ///< in the window
    std::uint64_t drawn_ = 0;       ///< jobs of all windows
    std::uint64_t next_index_ = 0;
};

std::vector<engine::ParameterProblem> size_problems(
    const std::vector<LargestSize>& sizes, const engine::SystemDescription& system
) {
    const auto largest = std::max_element(
        sizes.begin(),
        sizes.end(),
        [](const LargestSize& a, const LargestSize& b) { return a.processors < b.processors; }
    );
    if (largest == sizes.end() || largest->processors <= system.processors()) {
        return {};
    }
    return {
        {largest->parameter,
         fmt::format(
             "jobs may need {} processors (by {}; the system has {}: they could not run)",
             largest->processors,
             largest->parameter,
             system.processors()
         ),
         fmt::format("Take a system of {} processors, or smaller jobs.", largest->processors)}};
}

}  // namespace

std::optional<double> interarrival_for(const WorkloadContext& context, double mean_area) {
    if (!context.utilization) {
        return std::nullopt;
    }
    return mean_area / (*context.utilization * context.system.processors());
}

std::vector<engine::ParameterDescription> with_rigid_parameters(
    std::vector<engine::ParameterDescription> own
) {
    own.push_back(
        {.name = "days",
         .meaning = "trace: jobs end after so many days; 0: no end",
         .unit = "days",
         .default_value = 0.0,
         .range = {.low = 0, .high = 1e6}}
    );
    own.push_back(estimates_parameter());
    return own;
}

engine::WorkloadModelDescription describe_rigid(RigidModel model) {
    const auto make = [source = std::move(model.source), traits = std::move(model.traits)](
                          const engine::Parameters& parameters, const WorkloadContext& context
                      ) -> std::unique_ptr<engine::WorkloadModel> {
        return std::make_unique<RigidWorkload>(
            source(parameters, context), traits(parameters, context), parameters, context
        );
    };
    const auto check_system = [largest = std::move(model.largest_sizes
                               )](const engine::Parameters& parameters,
                                  const engine::SystemDescription& system) {
        return size_problems(largest(parameters), system);
    };
    return {
        .alternative = std::move(model.alternative),
        .experiments =
            {ExperimentKind::open,
             ExperimentKind::trace,
             ExperimentKind::saturated,
             ExperimentKind::offline},
        .make = make,
        .check_system = check_system,
        .facts =
            [is_in_seconds = model.is_in_seconds](const engine::Parameters& given) {
                const bool ends = given.real("days") > 0;
                return engine::WorkloadFacts{
                    .is_in_seconds = is_in_seconds,
                    .end = ends ? engine::JobsEnd::drawn : engine::JobsEnd::open_ended};
            },
        .examples = std::move(model.examples)};
}

}  // namespace schedfarm::models
