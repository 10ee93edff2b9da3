// Where schedules come from, one function per source: the jobs that a simulation wrote, logs of
// real machines, and logs of replications in result files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/simulation/logs/segment_log.hpp"

#include "models/trace/log.hpp"

#include "results_schema/job_logs.hpp"
#include "results_schema/tables/table.hpp"

#include "app/report/schedule/job_schedule.hpp"

namespace schedfarm::app {

/// The schedule in a table `job,submit,start,finish,processors[,ranges[,kind[,user[,home]]]]` as
/// simulate and gantt write it; messages call it `name`. Lines of one job number are its segments;
/// kind is running, loading, out_of_order (of processors, whatever the job) or node (whose name is
/// where a job would be); home is the cluster at which the job was submitted, from 1. Without
/// ranges every segment gets the lowest free processors. The machine has `processors`, by default
/// as many as are needed. Throws LogError with the line where a value is missing, is none, or
/// contradicts another; where a processor is held twice; where the machine is too small.
JobSchedule schedule_of_table(
    const std::string& text, const std::string& name, std::optional<std::uint32_t> processors
);

/// The schedule that a log of a real machine tells: start = submit + wait, finish = start + run, on
/// the nodes that it names where jobs do not share them, else on the lowest free processors. Jobs
/// without wait, run time or processors are left out and noted; so are the parts of jobs that were
/// checkpointed, which have a line as a whole. The machine has `processors`, else what the log
/// says. Times in logs are rounded, and some hold more processors at once than that: the schedule
/// has them all, JobSchedule::machine says how many are drawn, and a note tells it. Throws LogError
/// where no job is left.
JobSchedule schedule_of_log(const models::trace::Log& log, std::optional<std::uint32_t> processors);

/// A job log of a result file, checked. Throws ResultError; where the file has none of this cell
/// and replication, it lists those that it has.
results_schema::StoredJobLog job_log_of(
    const std::filesystem::path& path, const results_schema::JobLogId& id
);

/// The processors of each cluster of a cell. Throws ResultError where there is no such cell.
std::vector<std::uint32_t> clusters_of(
    const results_schema::ResultFile& results, std::uint64_t cell
);

/// Whether a log says all that is drawn: no pauses, clusters or outages, and named processors.
bool tells_all(const results_schema::StoredJobLog& log, const results_schema::ResultFile& results);

/// The schedule in a log of these results, on the processors that it names, else on the lowest free
/// ones. `segments` are those of its jobs where the log does not tell all; empty: they are not
/// known. The machine has `processors`, else those of the cell. Where jobs have no submit time,
/// they are submitted when they start. Throws ResultError where the machine is too small. REQUIRES:
/// the log passed its checks, and has no pauses that `segments` do not tell.
JobSchedule schedule_of_job_log(
    const results_schema::StoredJobLog& log,
    const std::vector<engine::RunSegment>& segments,
    const results_schema::ResultFile& results,
    std::optional<std::uint32_t> processors
);

}  // namespace schedfarm::app
