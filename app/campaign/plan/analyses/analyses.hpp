// Lays out the comparison, the selection and the control variates of a campaign over its cells.
#pragma once

#include <vector>

#include "app/campaign/grid/factors.hpp"
#include "app/campaign/keys/analyses/analysis_reader.hpp"
#include "app/campaign/plan/plan.hpp"

namespace schedfarm::app {

/// Cells that differ in this factor only, in the order of its levels; groups in the order of their
/// first cells. Loads that the program places agree where their fractions do.
/// REQUIRES: the cells of the whole grid.
std::vector<CellGroup> groups_by(
    std::size_t factor, const std::vector<Factor>& factors, const std::vector<Cell>& cells
);

/// REQUIRES: plan.cells are those of the whole grid, laid out without problems.
void lay_out_analyses(
    const Node& campaign,
    const AnalysisRequests& requests,
    const std::vector<Factor>& factors,
    Plan& plan,
    Problems& problems
);

}  // namespace schedfarm::app
