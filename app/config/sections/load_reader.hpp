// Reads `load` of a cell.
#pragma once

#include <optional>

#include "app/config/sections/load_search.hpp"
#include "app/config/yaml/node.hpp"
#include "app/config/yaml/problems.hpp"

namespace schedfarm::app {

/// One of the two.
struct LoadSettings {
    std::optional<double> utilization;
    std::optional<LoadSearch> search;
};

std::optional<LoadSettings> read_load(const Node& node, Problems& problems);

}  // namespace schedfarm::app
