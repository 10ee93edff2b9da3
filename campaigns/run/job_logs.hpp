// The job logs that a campaign asks for, as they lie in its result file.
#pragma once

#include "results_schema/job_logs.hpp"

#include "campaigns/plan/plan.hpp"
#include "campaigns/run/campaign_progress.hpp"

namespace schedfarm::campaigns {

/// Those of logged_replications(), each replayed when it is asked for. The progress outlives the
/// source.
results_schema::JobLogSource job_logs(const Plan& plan, const CampaignProgress& progress);

}  // namespace schedfarm::campaigns
