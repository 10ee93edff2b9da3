// Files of tests/cases: lists of cases, each a mapping that begins with what it shows (README.md).
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "app/campaign/yaml/node.hpp"

namespace schedfarm::tests {

/// The keys of a mapping, each known. Throws app::ConfigErrors.
void expect_keys(const app::Node& map, const std::vector<std::string>& known);

/// Throws app::ConfigErrors where the mapping has no such key.
const app::Node& needed(const app::Node& map, const char* key);

/// Calls `check`, which returns how many runs a case has, with every case of the folder that is
/// called like the kind, and holds their number against that of counts.txt.
void check_cases(
    const std::string& kind, const std::function<std::size_t(const app::Node&)>& check
);

}  // namespace schedfarm::tests
