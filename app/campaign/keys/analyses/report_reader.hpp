// Reads `report`, its figures and `job_log` of a campaign. Factors and metrics are as written.
#pragma once

#include "app/campaign/keys/analyses/report_layout.hpp"
#include "app/campaign/yaml/node.hpp"
#include "app/campaign/yaml/problems.hpp"

namespace schedfarm::app {

/// Whether there is what its figures name is asked in the package (app/cli/commands).
ReportLayout read_report(const Node& campaign, Problems& problems);
JobLogPlan read_job_log(const Node& campaign, Problems& problems);

}  // namespace schedfarm::app
