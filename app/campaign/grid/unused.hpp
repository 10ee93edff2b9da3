// Values that no cell uses: they would be ignored without a word.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "app/campaign/checks/cell_settings.hpp"
#include "app/campaign/grid/grid.hpp"
#include "app/campaign/plan/plan.hpp"
#include "app/campaign/yaml/problems.hpp"

namespace schedfarm::app {

class UnusedValues {
  public:
    /// Whether a factor places loads by the saturation point.
    explicit UnusedValues(bool has_placed_loads) : has_placed_loads_(has_placed_loads) {}

    /// Takes in what a cell uses; call once per cell. `tree`: the cell's.
    void add_cell(const CellSettings& settings, const Node& tree);
    /// Takes in what a right cell observes.
    void add_columns(const CellSettings& settings, const Cell& cell, const Node& tree);

    /// Problems for loads that a factor varies and a cell does not use, and for what counts in no
    /// cell: loads, pilots, probes, and what the table of uses says (app/campaign/keys/uses.hpp).
    /// What an included file says may go unused, but for parameters of workload and policy, which
    /// are part of a cell.
    void check(const Node& campaign, const Grid& grid, Problems& problems);

    /// Paths of what may go unused and does.
    std::vector<std::string> unused_paths() const;

  private:
    /// A value where it is written.
    using Place = std::tuple<std::string, int, int, std::string>;
    struct GivenValue {
        bool counts = false;  ///< in some cell
        ConfigProblem problem = {};
    };

    void add_sections(const CellSettings& settings, const Node& tree);
    void add_choice(
        const std::string& kind,
        const engine::Choice& choice,
        const std::vector<engine::ParameterDescription>& table,
        const std::string& path,
        engine::ExperimentKind experiment,
        const Node& tree
    );
    void add_campaign(const Node& campaign);
    void add(
        const SourcePosition& at,
        const std::string& path,
        const std::string& why_not,
        const char* suggestion = "Remove it."
    );
    void check_factors(const Grid& grid, Problems& problems) const;
    void check_written(const Grid& grid, Problems& problems) const;

    bool has_placed_loads_;
    bool all_known_ = true;
    std::string without_load_;          ///< what uses no load: "experiment 'saturated'"
    bool is_other_experiment_ = false;  ///< that one is not open
    bool has_load_factor_ = false;      ///< a workload without load that scales its own
    std::map<Place, GivenValue> written_;
};

}  // namespace schedfarm::app
