// What levels are called in tables.
#pragma once

#include <string>
#include <vector>

#include "campaigns/config/node.hpp"

namespace schedfarm::campaigns {

/// One label per level: numbers in shortest form; `name(values)` for alternatives with parameters,
/// and the bare list `[1, 4]` where all levels are the same alternative with a list; otherwise
/// canonical text.
std::vector<std::string> level_labels(const std::vector<Node>& levels);

}  // namespace schedfarm::campaigns
