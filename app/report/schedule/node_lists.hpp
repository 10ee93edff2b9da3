// Lists of nodes as Slurm writes them, and a schedule drawn on the nodes that a log names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/trace/log.hpp"

#include "app/report/schedule/job_schedule.hpp"

namespace schedfarm::app {

/// "n[001-003,8],x1": n001, n002, n003, n8, x1. Empty for a text that is no list of nodes, and for
/// one of more than a million.
std::vector<std::string> nodes_of(std::string_view list);

/// Puts every segment on the nodes of its job, each a row of the chart, in the order of their names
/// with numbers as numbers. False, and the schedule stays as it is, where the log does not name
/// them for every job, or jobs share nodes. `rows`: of the log, by segment.
bool place_on_nodes(
    JobSchedule& schedule, const models::trace::Log& log, const std::vector<std::size_t>& rows
);

}  // namespace schedfarm::app
