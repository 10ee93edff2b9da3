// All registered policies; generated from the list in policies/CMakeLists.txt.
#pragma once

#include <string_view>
#include <vector>

#include "engine/simulation/policy.hpp"

namespace schedfarm::policies {

/// In the order of the list.
const std::vector<engine::PolicyDescription>& catalogue();

/// Null when there is no such policy.
const engine::PolicyDescription* find_policy(std::string_view name);

}  // namespace schedfarm::policies
