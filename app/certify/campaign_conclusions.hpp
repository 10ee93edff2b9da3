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
    std::vector<results_schema::Table> tables;  ///< as in the result file
    std::vector<CellSummary> cells;

    /// Null where the campaign has no row of it.
    const results_schema::Table* find(std::string_view table) const;
};

/// Throws what a replication throws.
CampaignConclusions conclude_under_seed(const Plan& plan, std::uint64_t seed);

}  // namespace schedfarm::app
