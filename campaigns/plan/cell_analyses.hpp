// What one cell brings to the analyses: its control variates with their exact means.
#pragma once

#include <vector>

#include "campaigns/config/analysis_reader.hpp"
#include "campaigns/config/cell_checks.hpp"
#include "campaigns/plan/plan.hpp"

namespace schedfarm::campaigns {

/// None where the cell does not observe the metric or its load is searched for. Problems point into
/// the campaign. REQUIRES: complete settings; the cell has its columns.
std::vector<ControlMean> control_means(
    const CheckedCell& checked,
    const Cell& cell,
    const Node& campaign,
    const ControlRequest& request,
    Problems& problems
);

}  // namespace schedfarm::campaigns
