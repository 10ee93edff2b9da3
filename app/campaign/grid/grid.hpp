// The third step, first half: from the campaign's tree to one tree per cell. Cells are in row-major
// order of the factors: the last factor varies fastest. In each cell, in this order: factors
// (those over a parameter of several policies last), overrides, loads placed below saturation,
// derived values (but for those an override has set).
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/campaign/checks/cell_settings.hpp"
#include "app/campaign/checks/theory.hpp"
#include "app/campaign/grid/adjustments.hpp"
#include "app/campaign/grid/factors.hpp"
#include "app/campaign/keys/catalogues.hpp"
#include "app/campaign/plan/plan.hpp"
#include "app/campaign/yaml/node.hpp"
#include "app/campaign/yaml/problems.hpp"

namespace schedfarm::app {

inline constexpr std::size_t most_cells = 100000;

/// A load that the grid cannot place, because the saturation point must be estimated first.
struct EstimatedLoad {
    double fraction = 0;  ///< of the saturation point
    SourcePosition at;    ///< of what asks for it
};

struct GridCell {
    Node tree;  ///< variable keys only
    std::vector<FactorLevel> levels;
    std::optional<EstimatedLoad> estimated_load;
};

class Grid {
  public:
    /// Reads factors, overrides and derived values. Throws ConfigErrors when there are too many
    /// cells. REQUIRES: `campaign` is a map; all arguments outlive the grid.
    Grid(const Node& campaign, const Catalogues& catalogues, Theory& theory, Problems& problems);

    std::size_t size() const { return size_; }
    /// The tree that all cells start from.
    const Node& base() const { return base_; }
    const std::vector<Factor>& factors() const { return factors_; }

    /// REQUIRES: index < size().
    GridCell cell(std::size_t index);

    /// Adds a problem for every override that no cell has used so far.
    void expect_overrides_used();

    /// " in cell 3", or nothing where there is only one.
    std::string where(std::size_t index) const;

  private:
    void drop_varied_values();
    void count_cells();
    std::vector<ChosenLevel> choose(std::size_t index) const;
    void assign(Node& tree, const Assignment& assignment);
    void assign_for_policy(Node& tree, const Assignment& assignment);
    void expect_some_policy(const Factor& factor, const std::string& path);
    std::set<std::string> apply_overrides(Node& tree, const std::vector<ChosenLevel>& chosen);
    void place_load(GridCell& cell, const ChosenLevel& chosen, std::size_t position);
    std::string condition_suggestion(const Assignment& condition) const;
    void derive(GridCell& cell, const Derived& derived, std::size_t index);

    const Catalogues& catalogues_;
    Theory& theory_;
    Problems& problems_;
    Node base_;
    std::vector<Factor> factors_;
    std::vector<Override> overrides_;
    std::vector<bool> used_;  ///< parallel to overrides_
    std::vector<Derived> derived_;
    KnownCellParts known_;  ///< without their problems
    std::size_t size_ = 1;
};

}  // namespace schedfarm::app
