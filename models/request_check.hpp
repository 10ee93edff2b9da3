// Whether a request can run on an empty system at all; a job that cannot would block its queue for
// ever.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/foundation/parameters.hpp"
#include "engine/simulation/job.hpp"
#include "engine/simulation/system.hpp"

namespace schedfarm::models {

/// total, ordered, unordered, grouped.
const std::vector<std::string>& request_words();
/// REQUIRES: one of request_words().
engine::RequestStructure request_structure(const std::string& word);

/// The parameters to point at.
struct RequestParameters {
    std::string count;  ///< of the number of components
    std::string sizes;  ///< of their sizes
};

/// The problem of the largest possible request, if there is one. Placement of shared clusters is
/// decreasing first fit, which is exact for components of one size.
std::optional<engine::ParameterProblem> request_problem(
    engine::RequestStructure structure,
    const std::vector<std::uint32_t>& components,
    const engine::SystemDescription& system,
    const RequestParameters& names
);

}  // namespace schedfarm::models
