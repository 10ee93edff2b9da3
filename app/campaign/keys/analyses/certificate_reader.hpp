// Reads `certificate` of a cell: one section, or a list of them. Their form alone: the package
// plans them.
#pragma once

#include <vector>

#include "engine/foundation/parameters.hpp"

#include "app/campaign/yaml/node.hpp"
#include "app/campaign/yaml/problems.hpp"

namespace schedfarm::app {

/// What `schedfarm certify` expects of a number or a decision in the results of a campaign of many
/// seeds.
struct Certificate {
    Tree node;
    engine::Parameters values;  ///< with their defaults
};

/// None where the cell has no `certificate`.
std::vector<Certificate> read_certificates(const Node& cell, Problems& problems);

}  // namespace schedfarm::app
