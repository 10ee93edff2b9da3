// The progress of a run in words. Pure.
#pragma once

#include <optional>
#include <string>

#include "app/cli/commands/run_totals.hpp"
#include "app/report/json.hpp"

namespace schedfarm::app {

/// "[####......]": the share that is done.
std::string bar_text(const RunTotals& totals);

/// "  42 %  568 of 8000 replications, 3 of 20 cells decided, 12 s left"; without `seconds_left`
/// where that is unknown.
std::string plain_text(const RunTotals& totals, std::optional<double> seconds_left);

/// The format of the objects that scripts read of a run: that of each line of `--progress json`,
/// and of `status --format json`. A new member does not raise it, a changed meaning does.
inline constexpr int progress_format = 1;

/// The same as members of an object: replications, cells, seconds_left, core_hours_left.
Json progress_json(const RunTotals& totals, std::optional<double> seconds_left);

/// How precise a cell is by now. Empty where there is too little to say.
std::string cell_text(const CampaignProgress& progress, const CellProgress& cell);

}  // namespace schedfarm::app
