// Factors over a parameter that several policies have: policy.*.timeplexing_cycle_s sets it in the
// policies that have it and leaves the others as they are. Pure.
#pragma once

#include <optional>
#include <string>

#include "app/campaign/keys/catalogues.hpp"
#include "app/campaign/yaml/node.hpp"

namespace schedfarm::app {

/// The parameter of "policy.*.parameter"; absent for any other path.
std::optional<std::string> parameter_of_any_policy(const std::string& path);

bool has_parameter(const engine::PolicyDescription& policy, const std::string& parameter);

/// "policy.easy.parameter" for the policy of the tree; absent where that has no such parameter.
std::optional<std::string> path_for_policy(
    const std::string& parameter, const Node& tree, const Catalogues& catalogues
);

}  // namespace schedfarm::app
