// The replications of a campaign that have no observations, and how to replay each.
#pragma once

#include <filesystem>

#include "results_schema/tables/table.hpp"

#include "app/plan/plan.hpp"
#include "app/run/campaign_progress.hpp"

namespace schedfarm::app {

/// The table `failures`, in the order of cells and replications. `results`: the file whose journal
/// tells which logs the run was begun with.
results_schema::Table failures_table(
    const Plan& plan, const CampaignProgress& progress, const std::filesystem::path& results
);

}  // namespace schedfarm::app
