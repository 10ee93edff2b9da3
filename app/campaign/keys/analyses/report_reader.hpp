// Reads `report`, its figures and `job_log` of a campaign. Factors and metrics are as written.
#pragma once

#include "app/campaign/keys/analyses/report_layout.hpp"
#include "app/campaign/keys/schema.hpp"
#include "app/campaign/yaml/node.hpp"
#include "app/campaign/yaml/problems.hpp"

namespace schedfarm::app {

/// Which figure of the report: keys `kind`, `x`, `y`, `by`, `facet`, `range` and `top`.
const Section& figure_section();

/// But for its figures.
ReportLayout read_report(const Node& campaign, Problems& problems);
JobLogPlan read_job_log(const Node& campaign, Problems& problems);

}  // namespace schedfarm::app
