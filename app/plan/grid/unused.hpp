// Values that no cell uses: they would be ignored without a word.
#pragma once

#include <set>
#include <string>

#include "app/config/cell_settings.hpp"
#include "app/config/yaml/problems.hpp"
#include "app/plan/grid/grid.hpp"
#include "app/plan/plan.hpp"

namespace schedfarm::app {

class UnusedValues {
  public:
    /// Takes in what a cell uses; call once per cell.
    void add_cell(const CellSettings& settings);
    /// Takes in what a right cell observes.
    void add_columns(const CellSettings& settings, const Cell& cell);

    /// Problems for loads that no cell uses, for pilots where no load is placed and for
    /// probes that no cell observes. What an included file says may go unused.
    void check(const Grid& grid, Problems& problems) const;

  private:
    void check_load(const Grid& grid, Problems& problems) const;
    static void check_pilot(const Grid& grid, Problems& problems);
    void check_probes(const Grid& grid, Problems& problems) const;

    bool takes_load_ = false;  ///< some cell
    bool all_known_ = true;
    std::string without_load_;      ///< what uses no load: "experiment 'saturated'"
    std::string other_experiment_;  ///< one that is not open
    bool has_load_factor_ = false;  ///< a workload without load that scales its own
    std::set<std::string> observed_;
};

}  // namespace schedfarm::app
