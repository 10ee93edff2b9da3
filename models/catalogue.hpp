// All registered workload models; generated from the list in models/CMakeLists.txt.
#pragma once

#include <string_view>
#include <vector>

#include "engine/simulation/workload_model.hpp"

namespace schedfarm::models {

/// In the order of the list.
const std::vector<engine::WorkloadModelDescription>& catalogue();

/// Null when there is no such model.
const engine::WorkloadModelDescription* find_model(std::string_view name);

}  // namespace schedfarm::models
