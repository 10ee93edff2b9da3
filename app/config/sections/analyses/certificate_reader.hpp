// Reads `certificate` of a cell: one section, or a list of them. Metrics are as written.
#pragma once

#include <vector>

#include "app/config/sections/analyses/certificate.hpp"
#include "app/config/yaml/node.hpp"
#include "app/config/yaml/problems.hpp"

namespace schedfarm::app {

/// None where the cell has no `certificate`.
std::vector<Certificate> read_certificates(const Node& cell, Problems& problems);

}  // namespace schedfarm::app
