// The stop rule of cells among which the best is selected.
#pragma once

#include "campaigns/run/group_rule.hpp"

namespace schedfarm::campaigns {

class SelectionRule final : public GroupRule {
  public:
    SelectionRule(std::vector<CellProgress*> cells, const SelectionPlan& selection);

    void advance() override;

    const engine::SelectionDecision& decision() const { return decision_; }

  private:
    bool has_what_it_wants() const;

    const SelectionPlan& selection_;
    engine::SelectionDecision decision_;
};

}  // namespace schedfarm::campaigns
