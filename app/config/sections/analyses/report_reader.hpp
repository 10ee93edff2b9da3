// Reads `report`, its figures and `job_log` of a campaign. Factors and metrics are as written.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/config/yaml/node.hpp"
#include "app/config/yaml/problems.hpp"

namespace schedfarm::app {

/// `report` but for its figures.
struct ReportRequest {
    std::string title;
    std::string source;
    std::vector<std::string> rows;
    std::vector<std::string> metrics;
    std::string intervals;  ///< empty: not given
};

/// A figure of the report.
struct FigureRequest {
    std::string kind;
    std::string x;
    std::string y;
    std::vector<std::string> by;
    std::string facet;
    std::string range;
    std::string top;  ///< a number
};

struct JobLogRequest {
    std::uint64_t replications = 0;
    std::uint64_t utilization_parts = 0;
    std::uint64_t users = 0;
};

ReportRequest read_report(const Node& campaign, Problems& problems);
std::optional<FigureRequest> read_figure(const Node& node, Problems& problems);
JobLogRequest read_job_log(const Node& campaign, Problems& problems);

}  // namespace schedfarm::app
