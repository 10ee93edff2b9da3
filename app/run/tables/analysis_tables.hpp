// The tables of a result file that say more than the estimates of its cells: stability, searches,
// comparisons, selections, control variates, quantiles, warm-up, claims. Pure functions of the
// ordered prefixes. Every function gives a table without rows where the campaign asks for none.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "results_schema/tables/table.hpp"

#include "app/campaign/plan/plan.hpp"
#include "app/run/campaign_progress.hpp"
#include "app/run/tables/cell_summary.hpp"
#include "app/run/tables/provenance.hpp"

namespace schedfarm::app {

/// Which jobs and which time every cell measures.
results_schema::Table measured_table(const CampaignProgress& progress);
results_schema::Table warm_up_table(const CampaignProgress& progress);
results_schema::Table warm_up_checks_table(const CampaignProgress& progress);
results_schema::Table quantiles_table(const CampaignProgress& progress);
results_schema::Table sketches_table(const CampaignProgress& progress);

/// Cells that replay a whole log: its waits beside the simulated ones, by group of jobs.
results_schema::Table logged_waits_table(const CampaignProgress& progress);

results_schema::Table comparisons_table(const Plan& plan, const CampaignProgress& progress);
results_schema::Table selections_table(const Plan& plan, const CampaignProgress& progress);
results_schema::Table controlled_estimates_table(
    const Plan& plan, const CampaignProgress& progress
);

/// What quantities and claims are judged from, beside the replications: Plan::claims as tables.
std::vector<results_schema::Table> claim_tables(const std::vector<PlannedTable>& planned);

results_schema::Table stability_table(const CampaignProgress& progress);
/// Cells with an offered load: its share of the maximal one.
results_schema::Table placements_table(const CampaignProgress& progress);
results_schema::Table search_steps_table(const CampaignProgress& progress);

/// Those of the tables above that have rows, in the order of the schema.
std::vector<results_schema::Table> analysis_tables(
    const Plan& plan, const CampaignProgress& progress
);

/// The table `failures`: replications without observations, and how to replay each, in the order of
/// cells and replications. `results`: the file whose journal tells which logs the run began with.
results_schema::Table failures_table(
    const Plan& plan, const CampaignProgress& progress, const std::filesystem::path& results
);

/// `timings` and `farm`: which rank ran which replication when, and what every rank did with its
/// time; outside the payload. Runs are told apart by their begin, numbered from 1 in its order. A
/// begin that contradicts others, because a rank would do two things at once, counts as not known.
std::vector<results_schema::Table> farm_tables(
    const CampaignProgress& progress, const Provenance& provenance
);

}  // namespace schedfarm::app
