// Everything that a campaign can name and that is registered elsewhere: policies and workload
// models.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/simulation/policy.hpp"
#include "engine/simulation/workload_model.hpp"

namespace schedfarm::app {

struct Catalogues {
    const std::vector<engine::PolicyDescription>& policies;
    const std::vector<engine::WorkloadModelDescription>& models;
    std::vector<engine::Alternative> policy_alternatives;  ///< parallel to `policies`

    /// They outlive it.
    Catalogues(
        const std::vector<engine::PolicyDescription>& policies,
        const std::vector<engine::WorkloadModelDescription>& models
    );

    /// Null when there is no such policy, no such model.
    const engine::PolicyDescription* find_policy(std::string_view name) const;
    const engine::WorkloadModelDescription* find_model(std::string_view name) const;

    /// Those that with their default parameters keep the fixed starts of advance reservations.
    std::vector<std::string> policies_keeping_fixed_starts() const;
};

/// The policies and models of this program.
const Catalogues& registered_catalogues();

/// For whose policy keeps no fixed starts: "Take one of easy, conservative?"
std::string fixed_starts_suggestion();

}  // namespace schedfarm::app
