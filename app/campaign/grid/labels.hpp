// What levels are called in tables.
#pragma once

#include <string>
#include <vector>

#include "app/campaign/plan/plan.hpp"
#include "app/campaign/yaml/node.hpp"

namespace schedfarm::app {

/// A value as YAML flow text: numbers in shortest form, other texts as they are.
std::string plain_text(const Node& node);

/// One label per level: numbers in shortest form; `name(values)` for alternatives with parameters,
/// and the bare list `[1, 4]` where all levels are the same alternative with a list; otherwise
/// canonical text.
std::vector<std::string> level_labels(const std::vector<Tree>& levels);

}  // namespace schedfarm::app
