// The keys of a campaign that are one for all its cells.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/campaign/plan/plan.hpp"
#include "app/campaign/yaml/node.hpp"
#include "app/campaign/yaml/problems.hpp"

namespace schedfarm::app {

struct Header {
    std::string name;
    std::string description;
    std::string time_unit;  ///< the campaign's words; empty: none
    ReportLayout report;
    JobLogPlan job_log;
};

/// Reads format, name, description, unit of time, job log and report; checks the seed, which every
/// cell has of its own. REQUIRES: a map.
Header read_header(const Node& campaign, Problems& problems);

/// The seed in a cell's tree, or in the campaign's where it is one for all; 0 when it is missing or
/// wrong.
std::uint64_t campaign_seed(const Node& tree);

/// Replaces the report's metrics by the columns they mean; problems for metrics that no cell
/// observes and for rows that are no factors.
void check_report(
    const Node& campaign, const std::vector<Cell>& cells, ReportLayout& report, Problems& problems
);

}  // namespace schedfarm::app
