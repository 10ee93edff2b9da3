// When a cell whose horizon the program finds begins anew with a longer one. Pure functions of the
// ordered prefix, and of counts.
#pragma once

#include <cstdint>
#include <optional>

#include "app/config/sections/replication_plan.hpp"
#include "app/run/rules/cell_decision.hpp"

namespace schedfarm::app {

class CellProgress;

/// The level to begin anew at, after a decision at a checkpoint: where the targets are met while
/// the start may bias them, or where it surely will. The length follows from the relaxation times
/// that the replications show, at their fewest, and is 16 times the present one at most. Absent:
/// the horizon is long enough, is given, is the last, or the budget has no room for another.
std::optional<std::uint32_t> longer_level(const CellProgress& cell, const CellDecision& decision);

/// The budget less what the first `n` replications cost.
Budget rest_of_budget(const CellProgress& cell, std::uint64_t n);

}  // namespace schedfarm::app
