// From the progress of a campaign to the tables of its result file.
#pragma once

#include <vector>

#include "results_schema/table.hpp"

#include "campaigns/plan/plan.hpp"
#include "campaigns/run/campaign_progress.hpp"
#include "campaigns/run/cell_summary.hpp"
#include "campaigns/run/provenance.hpp"

namespace schedfarm::campaigns {

/// What is concluded from the replications: every table that has nothing of a single one and
/// nothing of the run. `summaries` has one entry per cell, in order.
std::vector<results_schema::Table> conclusion_tables(
    const Plan& plan, const CampaignProgress& progress, const std::vector<CellSummary>& summaries
);

/// `summaries` as above.
results_schema::ResultFile build_results(
    const Plan& plan,
    const CampaignProgress& progress,
    const std::vector<CellSummary>& summaries,
    const Provenance& provenance
);

}  // namespace schedfarm::campaigns
