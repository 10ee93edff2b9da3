// A schedule for other programs. Pure.
#pragma once

#include <string>

#include "app/report/schedule/job_schedule.hpp"

namespace schedfarm::app {

/// In tables, the kind of a line of processors out of order, and the job that it names.
inline constexpr const char* out_of_order = "out_of_order";
inline constexpr int no_job = -1;

/// A table with a line per segment: job,submit,start,finish,processors,ranges,kind, and user
/// where some job has one; then a line per outage. What schedule_of_table() reads.
std::string jobs_table(const JobSchedule& schedule);

/// The table that Batsim writes and Evalys reads, a line per job: ranges of processors as "0-3 7",
/// no stretch for a job without run time, requested_time −1 where it is not known. Throws LogError
/// for a job of several segments, which the table cannot hold.
std::string evalys_table(const JobSchedule& schedule);

/// A trace for Pajé, ViTE and pj_dump ("Pajé trace file format", version 1.2.5): a container per
/// processor whose state is the job that it runs, and the number of busy processors and of waiting
/// jobs as variables of the machine.
std::string paje_trace(const JobSchedule& schedule);

}  // namespace schedfarm::app
