// The progress of a run in words, cut to a terminal's width: what there is no room for is said
// shorter, then left out. Pure; a column is a code point.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "campaigns/cli/standing.hpp"

namespace schedfarm::campaigns {

/// "[####....]  42 %  568 of 8000 replications, 3 of 20 cells decided, 12 s left" in at most
/// `width` columns; without `seconds_left` where that is unknown.
std::string bar_text(
    const RunTotals& totals, std::optional<double> seconds_left, std::size_t width
);

/// The same without a bar, whole, for a file.
std::string plain_text(const RunTotals& totals, std::optional<double> seconds_left);

/// How precise a cell is by now, in at most `width` columns: with the cell's levels where they fit.
/// Empty where there is too little to say.
std::string cell_text(const CellProgress& cell, std::size_t width);

}  // namespace schedfarm::campaigns
