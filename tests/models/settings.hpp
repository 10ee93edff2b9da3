// Short ways to write parameters of the co-allocation model, and to draw its jobs.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "engine/simulation/workload_model.hpp"

#include "models/catalogue.hpp"

namespace schedfarm::tests {

inline engine::Choice choice(
    std::string name, const std::vector<std::pair<std::string, engine::Value>>& parameters = {}
) {
    engine::Choice result{.name = std::move(name)};
    for (const auto& [parameter, value] : parameters) {
        result.parameters.set(parameter, value);
    }
    return result;
}

inline engine::Choice uniform(int low, int high) {
    return choice("uniform", {{"low", low}, {"high", high}});
}

/// Section 4.4 of Bucur & Epema 2000.
inline engine::Choice mixture_of_section_4_4() {
    const engine::Choice powers =
        choice("powers_of_two", {{"ratio", 0.9}, {"high", 8}, {"factor", 3.0}});
    return choice("mixture", {{"probability", 0.7}, {"first", powers}, {"second", uniform(1, 4)}});
}

inline const engine::WorkloadModelDescription& coallocation() {
    const engine::WorkloadModelDescription* model = models::find_model("coallocation");
    REQUIRE(model != nullptr);
    return *model;
}

inline engine::Parameters coallocation_parameters(
    const std::string& request, int components, engine::Choice component_size
) {
    engine::Parameters given;
    given.set("request", request);
    given.set("components", components);
    given.set("component_size", std::move(component_size));
    return with_defaults(coallocation().alternative.parameters, given);
}

inline engine::WorkloadContext context_of(
    std::vector<std::uint32_t> clusters,
    engine::ExperimentKind experiment = engine::ExperimentKind::open,
    std::optional<double> utilization = std::nullopt
) {
    engine::WorkloadContext context;
    context.system.clusters = std::move(clusters);
    context.experiment = experiment;
    context.utilization = utilization;
    context.seed = 2001;
    context.replication = 3;
    return context;
}

/// The jobs of the first `blocks` blocks, in order.
struct DrawnJobs {
    std::vector<std::uint32_t> components;
    std::vector<std::uint32_t> sizes;
    std::vector<double> submit_times;
    std::vector<double> service_times;
};

inline DrawnJobs draw(
    const engine::Parameters& parameters, const engine::WorkloadContext& context, int blocks
) {
    const auto model = coallocation().make(parameters, context);
    DrawnJobs jobs;
    engine::JobBlock block;
    const auto append = [](auto& to, const auto& from) {
        to.insert(to.end(), from.begin(), from.end());
    };
    for (int i = 0; i < blocks; ++i) {
        model->next(block);
        append(jobs.components, block.components);
        append(jobs.sizes, block.size);
        append(jobs.submit_times, block.submit_time);
        append(jobs.service_times, block.service_time);
    }
    return jobs;
}

}  // namespace schedfarm::tests
