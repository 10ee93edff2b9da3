#include "models/workload_version.hpp"

#include <algorithm>
#include <utility>

#include "engine/foundation/expect.hpp"

#include "models/catalogue.hpp"

namespace schedfarm::models {

namespace {

using engine::Parameters;
using engine::WorkloadModelDescription;

const WorkloadModelDescription& registered(const std::string& name) {
    const WorkloadModelDescription* model = find_model(name);
    SCHEDFARM_EXPECT(model != nullptr, "no workload model '" + name + "'");
    return *model;
}

InnerWorkload inner_of(const Parameters& given, const std::string& parameter) {
    return InnerWorkload(given.choice(parameter));
}

}  // namespace

InnerWorkload::InnerWorkload(const engine::Choice& choice)
    : model_(registered(choice.name))
    , choice_(choice)
    , parameters_(with_defaults(model_.alternative.parameters, choice.parameters)) {}

std::unique_ptr<engine::WorkloadModel> InnerWorkload::jobs(engine::WorkloadContext context) const {
    if (!model_.serves(context.experiment)) {
        const auto other = model_.first_with_response_times();
        SCHEDFARM_EXPECT(other, "a workload without time");
        context.experiment = *other;
    }
    return model_.make(parameters_, context);
}

std::vector<engine::ParameterProblem> InnerWorkload::system_problems(
    const std::string& parameter, const engine::SystemDescription& system
) const {
    if (!model_.check_system) {
        return {};
    }
    auto problems = model_.check_system(parameters_, system);
    for (engine::ParameterProblem& problem : problems) {
        problem.reason = problem.parameter + ": " + problem.reason;
        problem.parameter = parameter;
    }
    return problems;
}

engine::Choice InnerWorkload::checksummed() const {
    engine::Choice choice = choice_;
    if (model_.checksummed) {
        choice.parameters = model_.checksummed(parameters_);
    }
    return choice;
}

engine::WorkloadModelDescription describe_version(WorkloadVersion version, MakeVersion make) {
    const std::string inner = version.original.name;
    version.original.type = engine::ParameterType::choice;
    // Once all models are described.
    version.original.alternatives =
        [table = std::make_shared<std::vector<engine::Alternative>>(),
         place = version.place,
         except = std::move(version.except)]() -> const std::vector<engine::Alternative>& {
        if (table->empty()) {
            *table = inner_workloads(place, except);
        }
        return *table;
    };
    auto& parameters = version.alternative.parameters;
    parameters.insert(parameters.begin(), std::move(version.original));
    for (engine::WorkloadExample& example : version.examples) {
        example.parameters = with_defaults(parameters, example.parameters);
    }
    return {
        .alternative = std::move(version.alternative),
        .experiments = engine::experiments_with_response_times(),
        .make = [inner, make](
                    const Parameters& given, const engine::WorkloadContext& context
                ) { return make(inner_of(given, inner).jobs(context), given, context); },
        .check_system =
            [inner,
             replaces_memory = version.replaces_memory,
             check = std::move(version.check_system
             )](const Parameters& given, const engine::SystemDescription& system) {
                engine::SystemDescription of_original = system;
                if (replaces_memory) {
                    of_original.memory_per_processor = 0;
                }
                auto problems = inner_of(given, inner).system_problems(inner, of_original);
                if (check) {
                    const auto own = check(given, system);
                    problems.insert(problems.end(), own.begin(), own.end());
                }
                return problems;
            },
        .facts =
            [inner,
             adds = std::move(version.adds_fixed_starts),
             draws = std::move(version.draws)](const Parameters& given) {
                engine::WorkloadFacts facts = inner_of(given, inner).facts();
                facts.has_fixed_starts = facts.has_fixed_starts || (adds && adds(given));
                facts.draws = facts.draws || !draws || draws(given);
                facts.is_log = false;
                return facts;
            },
        .checksummed =
            [inner](Parameters given) {
                given.set(inner, inner_of(given, inner).checksummed());
                return given;
            },
        .examples = std::move(version.examples),
        .place = version.place};
}

engine::Choice example_log() {
    engine::Choice log{.name = "trace"};
    log.parameters.set("file", "example");
    return log;
}

std::vector<engine::Alternative> inner_workloads(
    int place, const std::vector<WorkloadModelDescription::Jobs>& except
) {
    std::vector<engine::Alternative> table;
    for (const WorkloadModelDescription& model : catalogue()) {
        const bool is_excepted =
            std::find(except.begin(), except.end(), model.jobs) != except.end();
        if (model.place < place && !is_excepted) {
            table.push_back(model.alternative);
        }
    }
    return table;
}

}  // namespace schedfarm::models
