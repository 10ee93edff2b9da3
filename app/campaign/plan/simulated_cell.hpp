// The part of a cell that is simulated and observed: what a campaign and a single simulation share.
#pragma once

#include "app/campaign/checks/cell_settings.hpp"
#include "app/campaign/plan/plan.hpp"

namespace schedfarm::app {

/// The cell of these settings, without what is computed of it: seed, keys, theory, columns.
/// REQUIRES: they are complete, but for replications and certificates; the policy may be absent.
Cell simulated_cell(const CellSettings& settings);

}  // namespace schedfarm::app
