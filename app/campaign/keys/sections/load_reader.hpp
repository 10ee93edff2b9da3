// Reads `load` of a cell.
#pragma once

#include <optional>

#include "app/campaign/keys/sections/load_search.hpp"
#include "app/campaign/yaml/node.hpp"
#include "app/campaign/yaml/problems.hpp"

namespace schedfarm::app {

/// One of the two.
struct LoadSettings {
    std::optional<double> utilization;
    std::optional<LoadSearch> search;
};

std::optional<LoadSettings> read_load(const Node& node, Problems& problems);

}  // namespace schedfarm::app
