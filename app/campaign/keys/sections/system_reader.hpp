// The second step, for the section `system`: clusters, and when processors are out of order.
#pragma once

#include <optional>

#include "engine/simulation/system.hpp"

#include "app/campaign/yaml/node.hpp"
#include "app/campaign/yaml/problems.hpp"

namespace schedfarm::app {

/// The system of a cell; absent where a part of it is wrong. The outages of `system.outages.file`,
/// whose contents are the plan's to read, are not among those listed.
std::optional<engine::SystemDescription> read_system(const Node& cell, Problems& problems);

}  // namespace schedfarm::app
