// A schedule as a table. Pure.
#pragma once

#include <string>

#include "app/report/schedule/job_schedule.hpp"

namespace schedfarm::app {

/// In tables, the kind of a line of processors out of order, and the job that it names.
inline constexpr const char* out_of_order = "out_of_order";
inline constexpr int no_job = -1;
/// The kind of a line that names a node, where a job would be, and its processors.
inline constexpr const char* named_node = "node";

/// A table with a line per segment: job,submit,start,finish,processors,ranges,kind, and user
/// where some job has one; then a line per outage, and one per node that has a name. What
/// schedule_of_table() reads.
std::string jobs_table(const JobSchedule& schedule);

}  // namespace schedfarm::app
