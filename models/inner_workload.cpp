#include "models/inner_workload.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/foundation/expect.hpp"

#include "models/catalogue.hpp"

namespace schedfarm::models {

namespace {

using engine::ExperimentKind;
using engine::WorkloadModelDescription;

/// In this order, where a workload does not serve the experiment.
constexpr std::array other_experiments = {
    ExperimentKind::open, ExperimentKind::trace, ExperimentKind::offline};

ExperimentKind served(const WorkloadModelDescription& model, ExperimentKind experiment) {
    const auto serves = [&model](ExperimentKind kind) {
        return std::find(model.experiments.begin(), model.experiments.end(), kind)
               != model.experiments.end();
    };
    if (serves(experiment)) {
        return experiment;
    }
    const auto* const found =
        std::find_if(other_experiments.begin(), other_experiments.end(), serves);
    SCHEDFARM_EXPECT(found != other_experiments.end(), "a workload without time");
    return *found;
}

const WorkloadModelDescription& registered(const std::string& name) {
    const WorkloadModelDescription* model = find_model(name);
    SCHEDFARM_EXPECT(model != nullptr, "no workload model '" + name + "'");
    return *model;
}

}  // namespace

InnerWorkload::InnerWorkload(const engine::Parameters& given, std::string parameter)
    : parameter_(std::move(parameter))
    , model_(&registered(given.choice(parameter_).name))
    , parameters_(with_defaults(model_->alternative.parameters, given.choice(parameter_).parameters)
      ) {}

std::unique_ptr<engine::WorkloadModel> InnerWorkload::make(engine::WorkloadContext context) const {
    context.experiment = served(*model_, context.experiment);
    return model_->make(parameters_, context);
}

std::vector<engine::ParameterProblem> InnerWorkload::system_problems(
    const engine::SystemDescription& system
) const {
    if (!model_->check_system) {
        return {};
    }
    auto problems = model_->check_system(parameters_, system);
    for (engine::ParameterProblem& problem : problems) {
        problem.reason = problem.parameter + ": " + problem.reason;
        problem.parameter = parameter_;
    }
    return problems;
}

bool InnerWorkload::has_fixed_starts() const {
    return model_->has_fixed_starts && model_->has_fixed_starts(parameters_);
}

std::vector<engine::Alternative> inner_workloads(
    const std::function<bool(const std::string& name)>& may_be_inside
) {
    std::vector<engine::Alternative> table;
    for (const WorkloadModelDescription& model : catalogue()) {
        if (may_be_inside(model.alternative.name)) {
            table.push_back(model.alternative);
        }
    }
    return table;
}

}  // namespace schedfarm::models
