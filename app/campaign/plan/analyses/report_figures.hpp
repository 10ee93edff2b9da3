// The figures that a campaign's report shows (`report.figures`), each as the options of
// `schedfarm plot` that draw it. Everything that is known before a run is checked here.
#pragma once

#include <string>
#include <vector>

#include "app/campaign/plan/plan.hpp"
#include "app/campaign/yaml/node.hpp"
#include "app/campaign/yaml/problems.hpp"

namespace schedfarm::app {

/// {"--kind=curve", "--y=response_time", "--by=policy"} for every figure. Problems for factors,
/// levels and metrics that the campaign does not have, and for figures of what it does not ask for.
/// REQUIRES: a plan of which only the effective configuration and the hash are missing.
std::vector<std::vector<std::string>> read_figures(
    const Node& campaign, const Plan& plan, Problems& problems
);

}  // namespace schedfarm::app
