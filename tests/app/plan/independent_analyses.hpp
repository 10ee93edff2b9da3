// The second reading of what says how replications are decided and what is made of them: searched
// and placed loads, random numbers, precision, comparisons, selections, control variates,
// certificates.
#pragma once

#include <string>

#include "app/plan/plan.hpp"

#include "tests/app/plan/independent_grid.hpp"

namespace schedfarm::app::tests {

/// The number at a key, or its default.
bool has_count(const YAML::Node& map, const char* key, double fallback, std::uint64_t actual);
bool near(double a, double b);

/// A child of a map; undefined where there is none.
YAML::Node child(const YAML::Node& map, const char* key);

/// Warm-up of a horizon or a pilot, within the rounding to whole jobs.
bool has_warm_up(const YAML::Node& map, const engine::Horizon& horizon);

// "" when the cell, the plan is what the tree says, else in what it differs.
std::string load_difference(const IndependentCell& expected, const Plan& plan, const Cell& cell);
std::string random_difference(const YAML::Node& tree, const Plan& plan, const Cell& cell);
std::string replications_difference(const YAML::Node& tree, const Cell& cell);
std::string certificate_difference(const YAML::Node& tree, const Cell& cell);
std::string analyses_difference(const IndependentCampaign& campaign, const Plan& plan);

}  // namespace schedfarm::app::tests
