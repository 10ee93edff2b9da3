// What one cell brings to the analyses: its control variates with their exact means.
#pragma once

#include <vector>

#include "app/campaign/checks/cell_checks.hpp"
#include "app/campaign/keys/analyses/analysis_reader.hpp"
#include "app/campaign/plan/plan.hpp"

namespace schedfarm::app {

/// None where the cell does not observe the metric or its load is searched for. Problems point into
/// the campaign. REQUIRES: complete settings; the cell has its columns.
std::vector<ControlMean> control_means(
    const CheckedCell& checked,
    const Cell& cell,
    const Node& campaign,
    const ControlRequest& request,
    Problems& problems
);

}  // namespace schedfarm::app
