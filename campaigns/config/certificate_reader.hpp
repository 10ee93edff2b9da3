// Reads `certificate` of a cell: one section, or a list of them. Metrics are as written.
#pragma once

#include <vector>

#include "campaigns/config/certificate.hpp"
#include "campaigns/config/node.hpp"
#include "campaigns/config/problems.hpp"

namespace schedfarm::campaigns {

/// None where the cell has no `certificate`.
std::vector<Certificate> read_certificates(const Node& cell, Problems& problems);

}  // namespace schedfarm::campaigns
