// What a campaign concludes under another seed: run in this process, to its own end, by the parts
// that `schedfarm run` uses, with its searches, comparisons, selections and claims. Pure.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "results_schema/tables/table.hpp"

#include "app/plan/plan.hpp"
#include "app/run/tables/cell_summary.hpp"

namespace schedfarm::app {

struct CampaignConclusions {
    results_schema::ResultFile results;  ///< tables as in the result file, those that have rows
    std::vector<CellSummary> cells;
};

/// Throws what a replication throws.
CampaignConclusions conclude_under_seed(const Plan& plan, std::uint64_t seed);

}  // namespace schedfarm::app
