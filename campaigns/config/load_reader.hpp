// Reads `load` of a cell.
#pragma once

#include <optional>

#include "campaigns/config/load_search.hpp"
#include "campaigns/config/node.hpp"
#include "campaigns/config/problems.hpp"

namespace schedfarm::campaigns {

/// One of the two.
struct LoadSettings {
    std::optional<double> utilization;
    std::optional<LoadSearch> search;
};

std::optional<LoadSettings> read_load(const Node& node, Problems& problems);

}  // namespace schedfarm::campaigns
