// From the progress of a campaign to the tables of its result file.
#pragma once

#include <memory>
#include <vector>

#include "results_schema/job_logs.hpp"
#include "results_schema/tables/table.hpp"

#include "app/campaign/plan/plan.hpp"
#include "app/run/campaign_progress.hpp"
#include "app/run/tables/cell_summary.hpp"
#include "app/run/tables/provenance.hpp"

namespace schedfarm::app {

/// Of every cell, in order; the load of one that is searched for is what the search found.
std::vector<CellSummary> summaries_of(const CampaignProgress& progress);

/// `summaries` has one entry per cell, in order. Frees the progress, half of the memory, where no
/// job log needs it any more.
results_schema::ResultFile build_results(
    const Plan& plan,
    std::unique_ptr<CampaignProgress>& progress,
    const std::vector<CellSummary>& summaries,
    const Provenance& provenance
);

/// The logs of logged_replications(), each replayed when it is asked for. The progress outlives the
/// source.
results_schema::JobLogSource job_logs(const Plan& plan, const CampaignProgress& progress);

/// Tables that are made of job logs, those that have rows, in the order of the schema: utilization
/// over time and means by user, outside the payload as the logs are. Cost: one more replay of every
/// logged replication where one of them is asked for. Throws OutputError, as replication_log()
/// does.
std::vector<results_schema::Table> log_tables(const Plan& plan, const CampaignProgress& progress);

}  // namespace schedfarm::app
