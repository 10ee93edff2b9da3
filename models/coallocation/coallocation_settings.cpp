#include "models/coallocation/coallocation_settings.hpp"

#include "models/request_check.hpp"

namespace schedfarm::models {

namespace {

std::size_t component_count(
    const engine::Parameters& parameters, const engine::SystemDescription& system
) {
    const auto given = static_cast<std::size_t>(parameters.integer("components"));
    return given > 0 ? given : system.clusters.size();
}

std::vector<std::uint32_t> limits_of(const engine::Parameters& parameters) {
    std::vector<std::uint32_t> limits;
    for (const engine::Value& limit : parameters.at("size_classes").as_list()) {
        limits.push_back(static_cast<std::uint32_t>(limit.as_integer()));
    }
    return limits;
}

}  // namespace

CoallocationSettings::CoallocationSettings(
    const engine::Parameters& parameters, const engine::SystemDescription& system
)
    : structure(request_structure(parameters.text("request")))
    , components(component_count(parameters, system))
    , sizes(parameters.choice("component_size"))
    , service(make_time_distribution(parameters.choice("service")))
    , interarrival(make_time_distribution(parameters.choice("interarrival")))
    , size_classes(limits_of(parameters)) {}

double mean_interarrival(
    const CoallocationSettings& settings,
    const engine::SystemDescription& system,
    const std::optional<double>& utilization
) {
    if (!utilization) {
        return settings.interarrival->mean();
    }
    return settings.mean_size() * settings.service->mean() / (*utilization * system.processors());
}

std::vector<engine::ParameterProblem> coallocation_system_problems(
    const engine::Parameters& parameters, const engine::SystemDescription& system
) {
    const CoallocationSettings settings(parameters, system);
    const std::vector<std::uint32_t> largest(settings.components, settings.sizes.high());
    const auto problem = request_problem(
        settings.structure, largest, system, {.count = "components", .sizes = "component_size"}
    );
    return problem ? std::vector{*problem} : std::vector<engine::ParameterProblem>{};
}

}  // namespace schedfarm::models
