// The stop rule of cells among which the best is selected.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "app/run/rules/group_rule.hpp"

namespace schedfarm::app {

class SelectionRule final : public GroupRule {
  public:
    SelectionRule(std::vector<CellProgress*> cells, const SelectionPlan& selection);

    void advance() override;

    const engine::SelectionDecision& decision() const { return decision_; }

  private:
    void decide(std::uint64_t most);
    void select_stable(const std::vector<std::span<const double>>& prefixes);
    engine::SelectionDecision select_of(
        const std::vector<std::span<const double>>& prefixes, const std::vector<std::size_t>& places
    ) const;
    bool has_what_it_wants() const;
    bool begins_anew();
    bool lacks_a_used_value(const std::vector<std::span<const double>>& prefixes) const;

    const SelectionPlan& selection_;
    engine::SelectionDecision decision_;
    std::vector<bool> is_unstable_;       ///< whose queue passed its limit, by position
    bool is_first_stage_judged_ = false;  ///< the start of its replications is
};

}  // namespace schedfarm::app
