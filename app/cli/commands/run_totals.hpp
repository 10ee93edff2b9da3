// What `status` and the progress line both say of a run: how far it is, and how precise a cell is
// by now, in the same numbers and words. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "engine/statistics/stop_rule.hpp"

#include "app/cli/messages.hpp"
#include "app/report/number_text.hpp"
#include "app/run/campaign_progress.hpp"

namespace schedfarm::app {

struct RunTotals {
    std::uint64_t computed = 0;  ///< replications with observations
    std::uint64_t failed = 0;
    /// Replications computed and failed, and those expected still.
    std::uint64_t predicted = 0;
    /// Some cell has not come to its first checkpoint, where a prediction is made: `predicted` is
    /// what it needs at least.
    bool is_lower_bound = false;
    std::size_t cells = 0;
    std::size_t decided = 0;
    double core_hours_spent = 0;
    double core_hours_left = 0;
};

/// Of the cells of the progress's share. A cell without results is taken to cost what the others
/// cost on average; one that waits for a failed replication is expected to compute nothing more.
/// O(cells).
RunTotals totals_of(const CampaignProgress& progress);

/// How long the rest takes at the speed seen: `core_hours` were spent in `elapsed_s`. Absent where
/// the number to compute is a lower bound, where nothing is left, and within the first seconds.
std::optional<double> seconds_left(const RunTotals& totals, double core_hours, double elapsed_s);

/// How long nothing may come in before that is worth a word; `longest_s`: of a replication so far.
double patience_s(double longest_s);

/// "no result for 40 s; not back yet: cell 2, replication 3 and 51 more": the one given out first.
/// Short ones come back in bundles, so that another of them may be what hangs.
std::string quiet_text(double quiet_s, ReplicationId first, std::uint64_t under_way);

/// "73/384", or "73/≥384" where that is a lower bound: replications with observations of those
/// expected.
std::string done_text(const CellProgress& progress);

/// The cell's levels: "fcfs, 0.7"; empty without factors.
std::string label_text(const Cell& cell);

/// What a cell is judged by: the most demanding target, which may be its difference from another
/// cell, else what it observes first.
struct Judged {
    std::string name;           ///< "response_time.mean", "response_time.mean (cell 1 - cell 0)"
    engine::Estimate estimate;  ///< for who looks while the cell computes; its mean is finite
    std::optional<engine::PrecisionTarget> target = {};
    std::optional<engine::Estimate> of_rule = {};  ///< as the stop rule sees it, with a target
    ShownUnit unit = {};                           ///< that all of it is shown in
};

/// Absent where there is too little to say, and of a cell whose load is searched for, as its
/// replications ran at different loads.
std::optional<Judged> judged(const CampaignProgress& progress, const CellProgress& cell);

/// "response_time.mean 20.4 ±1.1 h", as a report prints it; empty where there is too little to say.
std::string judged_text(const std::optional<Judged>& judged);

}  // namespace schedfarm::app
