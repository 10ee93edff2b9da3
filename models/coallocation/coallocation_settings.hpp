// The parameters of the co-allocation model, read: what the jobs ask for, on a given system.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/foundation/parameters.hpp"
#include "engine/random/distribution.hpp"
#include "engine/simulation/job.hpp"
#include "engine/simulation/system.hpp"

#include "models/coallocation/component_sizes.hpp"

namespace schedfarm::models {

struct CoallocationSettings {
    /// REQUIRES: complete parameters that the description of the model admits.
    CoallocationSettings(
        const engine::Parameters& parameters, const engine::SystemDescription& system
    );

    /// E[size] over all components.
    double mean_size() const { return static_cast<double>(components) * sizes.mean(); }

    engine::RequestStructure structure;
    std::size_t components;
    ComponentSizes sizes;
    std::unique_ptr<const engine::TimeDistribution> service;
    std::unique_ptr<const engine::TimeDistribution> interarrival;
    std::vector<std::uint32_t> size_classes;  ///< increasing upper limits
};

/// E[size] · E[service] / (offered utilization · processors), or the mean of the interarrival
/// distribution where no utilization is given.
double mean_interarrival(
    const CoallocationSettings& settings,
    const engine::SystemDescription& system,
    const std::optional<double>& utilization
);

/// Problems of the largest request against the system.
std::vector<engine::ParameterProblem> coallocation_system_problems(
    const engine::Parameters& parameters, const engine::SystemDescription& system
);

}  // namespace schedfarm::models
