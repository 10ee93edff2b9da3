// A rule that decides for cells together, or for a cell in more than one step: a comparison with a
// precision, a selection of the best, a search for a load. Like a cell's own rule it is a pure
// function of ordered prefixes, so that it decides the same on any number of ranks and after any
// kill and resume.
#pragma once

#include <vector>

#include "app/campaign/plan/plan.hpp"
#include "app/run/cell_progress.hpp"

namespace schedfarm::app {

class GroupRule {
  public:
    /// `cells` are governed by a group and outlive the rule.
    explicit GroupRule(std::vector<CellProgress*> cells) : cells_(std::move(cells)) {}
    GroupRule(const GroupRule&) = delete;
    GroupRule& operator=(const GroupRule&) = delete;
    virtual ~GroupRule() = default;

    const std::vector<CellProgress*>& cells() const { return cells_; }

    /// Decides as much as the cells' prefixes admit: says what each cell wants next, or concludes
    /// it. Called at the beginning and after every outcome of one of the cells.
    virtual void advance() = 0;

  private:
    std::vector<CellProgress*> cells_;
};

}  // namespace schedfarm::app
