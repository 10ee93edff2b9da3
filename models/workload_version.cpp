#include "models/workload_version.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/foundation/expect.hpp"

#include "models/catalogue.hpp"

namespace schedfarm::models {

namespace {

using engine::ExperimentKind;
using engine::Parameters;
using engine::WorkloadModelDescription;

/// What a version serves; also, in this order, what its jobs are taken from where their model does
/// not serve the experiment.
constexpr std::array version_experiments = {
    ExperimentKind::open, ExperimentKind::trace, ExperimentKind::offline};

ExperimentKind served(const WorkloadModelDescription& model, ExperimentKind experiment) {
    if (model.serves(experiment)) {
        return experiment;
    }
    const auto* const found = std::find_if(
        version_experiments.begin(),
        version_experiments.end(),
        [&model](ExperimentKind kind) { return model.serves(kind); }
    );
    SCHEDFARM_EXPECT(found != version_experiments.end(), "a workload without time");
    return *found;
}

const WorkloadModelDescription& registered(const std::string& name) {
    const WorkloadModelDescription* model = find_model(name);
    SCHEDFARM_EXPECT(model != nullptr, "no workload model '" + name + "'");
    return *model;
}

/// The model that a parameter names, with its parameters.
struct InnerWorkload {
    InnerWorkload(const Parameters& given, const std::string& parameter)
        : model(registered(given.choice(parameter).name))
        , parameters(with_defaults(model.alternative.parameters, given.choice(parameter).parameters)
          ) {}

    const WorkloadModelDescription& model;
    Parameters parameters;  // complete
};

std::unique_ptr<engine::WorkloadModel> jobs_of(
    const InnerWorkload& inner, engine::WorkloadContext context
) {
    context.experiment = served(inner.model, context.experiment);
    return inner.model.make(inner.parameters, context);
}

/// What check_system says of it, as problems of the outer model's parameter.
std::vector<engine::ParameterProblem> system_problems(
    const InnerWorkload& inner,
    const std::string& parameter,
    const engine::SystemDescription& system
) {
    if (!inner.model.check_system) {
        return {};
    }
    auto problems = inner.model.check_system(inner.parameters, system);
    for (engine::ParameterProblem& problem : problems) {
        problem.reason = problem.parameter + ": " + problem.reason;
        problem.parameter = parameter;
    }
    return problems;
}

/// The outer model's parameters, the other's pinned.
Parameters pinned(Parameters given, const std::string& parameter) {
    const InnerWorkload inner(given, parameter);
    if (inner.model.pinned) {
        engine::Choice choice = given.choice(parameter);
        choice.parameters = inner.model.pinned(inner.parameters);
        given.set(parameter, std::move(choice));
    }
    return given;
}

bool has_fixed_starts(const InnerWorkload& inner) {
    return inner.model.has_fixed_starts && inner.model.has_fixed_starts(inner.parameters);
}

bool repeats(const InnerWorkload& inner) {
    return inner.model.repeats && inner.model.repeats(inner.parameters);
}

bool is_in_seconds(const InnerWorkload& inner) {
    return inner.model.is_in_seconds && inner.model.is_in_seconds(inner.parameters);
}

}  // namespace

engine::WorkloadModelDescription describe_version(WorkloadVersion version) {
    const std::string& inner = version.inner;
    return {
        .alternative = std::move(version.alternative),
        .experiments = {version_experiments.begin(), version_experiments.end()},
        .make =
            [inner, make = std::move(version.make)](
                const Parameters& given, const engine::WorkloadContext& context
            ) {
                return make(jobs_of({given, inner}, context), given, context);
            },
        .check_system =
            [inner,
             replaces_memory = version.replaces_memory,
             check = std::move(version.check_system
             )](const Parameters& given, const engine::SystemDescription& system) {
                engine::SystemDescription of_original = system;
                if (replaces_memory) {
                    of_original.memory_per_processor = 0;
                }
                auto problems = system_problems({given, inner}, inner, of_original);
                if (check) {
                    const auto own = check(given, system);
                    problems.insert(problems.end(), own.begin(), own.end());
                }
                return problems;
            },
        .has_fixed_starts =
            [inner, adds = std::move(version.adds_fixed_starts)](const Parameters& given) {
                return (adds && adds(given)) || has_fixed_starts({given, inner});
            },
        .repeats =
            [inner, draws = std::move(version.draws)](const Parameters& given) {
                return draws && !draws(given) && repeats({given, inner});
            },
        .is_in_seconds =
            [inner](const Parameters& given) {
                return is_in_seconds({given, inner});
            },
        .pinned = [inner](const Parameters& given) { return pinned(given, inner); },
        .examples = std::move(version.examples)};
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
