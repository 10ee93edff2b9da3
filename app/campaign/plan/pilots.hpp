// The cells that the program adds to estimate saturation points by which loads are placed: one for
// every distinct combination of system, workload, policy, source of random numbers and settings of
// the pilot. They follow the cells of the grid.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/farm/task.hpp"

#include "app/campaign/checks/cell_checks.hpp"
#include "app/campaign/grid/grid.hpp"
#include "app/campaign/plan/plan.hpp"

namespace schedfarm::app {

/// The saturated experiment behind a cell whose load is to be placed. REQUIRES: complete settings.
CellSettings pilot_settings(const CellSettings& settings);

/// Problems where the model cannot be saturated or the load would not be stable. REQUIRES: the cell
/// has an estimated load.
bool check_pilot(const CheckedCell& cell, const EstimatedLoad& load, Problems& problems);

class Pilots {
  public:
    /// Indices begin behind those of the grid.
    explicit Pilots(std::size_t grid_size) : first_(static_cast<std::uint32_t>(grid_size)) {}

    /// The pilot equal to this one in key and replications, which it becomes if there is none yet.
    /// It keeps the factor levels that all cells it serves have in common.
    const Cell& add(Cell pilot, const std::vector<FactorLevel>& served);

    const std::vector<Cell>& cells() const { return cells_; }

  private:
    std::uint32_t first_;
    std::vector<Cell> cells_;
    // Position by key and replications.
    std::map<std::pair<std::string, engine::Bytes>, std::size_t> known_;
};

}  // namespace schedfarm::app
