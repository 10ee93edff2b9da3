// When a cell whose horizon the program finds begins anew with a longer one. Pure functions of the
// ordered prefix, and of counts.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "app/campaign/keys/sections/replication_plan.hpp"
#include "app/run/rules/cell_decision.hpp"

namespace schedfarm::app {

class CellProgress;
struct CellStart;

/// The level to begin anew at, after a decision at a checkpoint: where the cell is at its end while
/// the start may bias its means or those `of_group`, or where it surely will. The length follows
/// from the relaxation times that the replications show, at their fewest, and is 16 times the
/// present one at most. Absent: the horizon is long enough, is given, is the last, the budget has
/// no room for another, or a time of the jobs has an infinite variance, so that none is long
/// enough.
std::optional<std::uint32_t> longer_level(
    const CellProgress& cell,
    const CellDecision& decision,
    std::span<const MetricTarget> of_group = {}
);

/// The level at which a cell has as many relaxation times as a start wants that is too short; at
/// present `n` replications are used. Absent: as of longer_level().
std::optional<std::uint32_t> level_for(
    const CellProgress& cell, const CellStart& start, std::uint64_t n
);

/// Begins anew all cells of a group at a level, so that they share their random numbers; one whose
/// budget has no room for that at the level that it wants itself. Cells that found no mean, whose
/// horizon is given, or that are as long already stay. Whether one of them begins anew.
bool lengthen_together(std::span<CellProgress* const> cells, std::uint32_t level);

/// The budget less what the first `n` replications cost.
Budget rest_of_budget(const CellProgress& cell, std::uint64_t n);

}  // namespace schedfarm::app
