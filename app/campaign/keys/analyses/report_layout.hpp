// What is shown of a campaign and what is kept of its jobs, as the campaign says it: sections
// `report` and `job_log`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace schedfarm::app {

/// How `schedfarm report` lays out the campaign.
struct ReportLayout {
    std::string title;
    std::string source;                             ///< "Bucur & Epema 2000, Table 1"
    std::vector<std::string> rows;                  ///< factors that make the rows; empty: all
    std::vector<std::string> metrics;               ///< shown; empty: the targets, else all
    std::string intervals;                          ///< "plus_minus" or "bounds"; empty: plus_minus
    std::vector<std::vector<std::string>> figures;  ///< options of `schedfarm plot` for each
};

/// Which replications leave a log of their jobs in the result file. Changes no replication.
struct JobLogPlan {
    std::uint64_t replications = 0;
    std::uint64_t utilization_parts = 0;
    std::uint64_t users = 0;
};

}  // namespace schedfarm::app
