// The job logs that a campaign asks for, as they lie in its result file.
#pragma once

#include "results_schema/job_logs.hpp"

#include "app/plan/plan.hpp"
#include "app/run/campaign_progress.hpp"

namespace schedfarm::app {

/// Those of logged_replications(), each replayed when it is asked for. The progress outlives the
/// source.
results_schema::JobLogSource job_logs(const Plan& plan, const CampaignProgress& progress);

}  // namespace schedfarm::app
