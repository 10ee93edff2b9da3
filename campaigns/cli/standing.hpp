// What `status` and the progress line both say of a run: how far it is, and how precise a cell is
// by now, in the same numbers and words. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "campaigns/run/campaign_progress.hpp"
#include "campaigns/run/cell_summary.hpp"

namespace schedfarm::campaigns {

struct RunTotals {
    std::uint64_t computed = 0;   ///< replications with an outcome
    std::uint64_t predicted = 0;  ///< at least as many as are computed
    /// Some cell has not come to its first checkpoint, where a prediction is made: `predicted` is
    /// what it needs at least.
    bool is_lower_bound = false;
    std::size_t cells = 0;
    std::size_t decided = 0;
    double core_hours_left = 0;
};

/// O(cells).
RunTotals totals_of(const CampaignProgress& progress);

/// The cell's levels: "fcfs, 0.7"; empty without factors.
std::string label_text(const Cell& cell);

/// What the cell is judged by: the most demanding target, else what it observes first.
std::string judged_metric(const CellProgress& progress);

/// "response_time.mean 123.4 ±5.1"; empty where there is too little to say.
std::string estimate_text(const MetricEstimate& estimate);

}  // namespace schedfarm::campaigns
