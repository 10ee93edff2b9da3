// Tables that are made of job logs: utilization over time, and means by user. Outside the payload,
// as the logs are, and of no cell where the campaign asks for none.
#pragma once

#include <vector>

#include "results_schema/tables/table.hpp"

#include "app/plan/plan.hpp"
#include "app/run/campaign_progress.hpp"

namespace schedfarm::app {

/// Those that have rows, in the order of the schema. Cost: one more replay of every logged
/// replication where one of them is asked for. Throws OutputError, as replication_log() does.
std::vector<results_schema::Table> log_tables(const Plan& plan, const CampaignProgress& progress);

}  // namespace schedfarm::app
