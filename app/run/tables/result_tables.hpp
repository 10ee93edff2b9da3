// From the progress of a campaign to the tables of its result file.
#pragma once

#include <vector>

#include "results_schema/tables/table.hpp"

#include "app/plan/plan.hpp"
#include "app/run/campaign_progress.hpp"
#include "app/run/tables/cell_summary.hpp"
#include "app/run/tables/provenance.hpp"

namespace schedfarm::app {

/// What is concluded from the replications: every table that has nothing of a single one and
/// nothing of the run. `summaries` has one entry per cell, in order.
std::vector<results_schema::Table> conclusion_tables(
    const Plan& plan, const CampaignProgress& progress, std::vector<CellSummary> summaries
);

/// `summaries` as above. Releases the outcomes where no job log needs them any more.
results_schema::ResultFile build_results(
    const Plan& plan,
    CampaignProgress& progress,
    std::vector<CellSummary> summaries,
    const Provenance& provenance
);

}  // namespace schedfarm::app
