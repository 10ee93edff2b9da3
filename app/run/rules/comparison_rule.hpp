// The stop rule of cells that are compared with a precision: they stop together, at the first
// checkpoint at which every cell's own targets and every difference are met.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "app/run/rules/group_rule.hpp"
#include "app/run/rules/precision_rule.hpp"

namespace schedfarm::app {

/// The pairs of positions within a group that a comparison looks at: (first, second), every level
/// against the baseline, or every pair.
std::vector<std::pair<std::size_t, std::size_t>> compared_pairs(
    const ComparisonPlan& comparison, std::size_t levels
);

/// The paired difference of two cells over their first n replications, and what is allowed of it. A
/// relative precision is to the mean of the second. REQUIRES: the comparison has a target.
ExtraTarget target_of_difference(
    const ComparisonPlan& comparison,
    const CellProgress& first,
    const CellProgress& second,
    std::uint64_t n
);

class ComparisonRule final : public GroupRule {
  public:
    /// REQUIRES: the comparison has a target; the cells have equal limits.
    ComparisonRule(std::vector<CellProgress*> cells, const ComparisonPlan& comparison);

    void advance() override;

  private:
    bool prefixes_reach(std::uint64_t n) const;
    void end_overflowed();
    void decide();
    bool begins_anew(
        const std::vector<std::size_t>& open, const std::vector<CellDecision>& decisions
    );
    std::vector<ExtraTarget> differences_of(std::size_t position) const;
    std::vector<std::size_t> open_positions() const;

    const ComparisonPlan& comparison_;
    std::vector<std::pair<std::size_t, std::size_t>> pairs_;
    engine::ReplicationLimits limits_;
    std::uint64_t checkpoint_;
};

}  // namespace schedfarm::app
