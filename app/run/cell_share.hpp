// The part of a campaign's cells that one of several jobs computes, such as a task of a job array.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/plan/plan.hpp"

namespace schedfarm::app {

/// Share number `index` (from 0) of `count` shares. REQUIRES: index < count.
struct CellShare {
    std::uint32_t index = 0;
    std::uint32_t count = 1;
};

/// Which cells belong to the share. Cells that are decided together (a comparison with a precision,
/// a selection) and pilots with the cells that wait for them stay together; these sets, in the
/// order of their first cells, are dealt out in turn.
std::vector<bool> cells_of_share(const Plan& plan, const CellShare& share);

/// The share that a run had which began these numbers of replications, by cell: the one with the
/// smallest count whose cells are those that were begun. Absent where all were, or where it cannot
/// be told: while no cell has been begun twice, others may have their turn still. Cells that wait
/// for a load need not have been begun.
std::optional<CellShare> share_begun(const Plan& plan, const std::vector<std::uint64_t>& begun);

}  // namespace schedfarm::app
