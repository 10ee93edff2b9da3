// The keys of a campaign that are one for all its cells.
#pragma once

#include <string>
#include <vector>

#include "app/config/yaml/node.hpp"
#include "app/config/yaml/problems.hpp"
#include "app/plan/plan.hpp"

namespace schedfarm::app {

struct Header {
    std::string name;
    std::string description;
    std::string time_unit;  ///< the campaign's words; empty: none
    std::uint64_t seed = 0;
    ReportLayout report;
    JobLogPlan job_log;
};

/// Reads format, name, description, unit of time, seed, job log and report. REQUIRES: a map.
Header read_header(const Node& campaign, Problems& problems);

/// Replaces the report's metrics by the columns they mean; problems for metrics that no cell
/// observes and for rows that are no factors.
void check_report(
    const Node& campaign, const std::vector<Cell>& cells, ReportLayout& report, Problems& problems
);

}  // namespace schedfarm::app
