// Reads `certificate` of a cell: one section, or a list of them. Metrics are as written.
#pragma once

#include <vector>

#include "app/campaign/keys/analyses/certificate.hpp"
#include "app/campaign/yaml/node.hpp"
#include "app/campaign/yaml/problems.hpp"

namespace schedfarm::app {

/// None where the cell has no `certificate`.
std::vector<Certificate> read_certificates(const Node& cell, Problems& problems);

}  // namespace schedfarm::app
