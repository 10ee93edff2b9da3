// The log of a replication, computed when it is wanted: a replication is a pure function of its
// cell and index, so that running it again gives what became of its jobs
// (docs/decisions/0014-job-logs-are-replayed.md).
#pragma once

#include <cstdint>
#include <vector>

#include "engine/simulation/kernel/processor_ranges.hpp"
#include "engine/simulation/logs/job_log.hpp"
#include "engine/simulation/logs/segment_log.hpp"

#include "results_schema/job_logs.hpp"

#include "app/campaign/plan/plan.hpp"
#include "app/run/campaign_progress.hpp"

namespace schedfarm::app {

struct ReplicationLog {
    engine::JobLog log;
    engine::JobProcessors held;  ///< from its start on, where the kernel names processors
    /// Where the policy let some job go on elsewhere: of all jobs, each in order of time.
    std::vector<engine::RunSegment> pieces;
    std::vector<double> estimate;          ///< by job; the service time where the workload has none
    std::vector<std::uint32_t> user;       ///< by job
    std::vector<std::int32_t> job_number;  ///< by job, of the workload's log; or no_job_number
    std::vector<double>
        logged_wait;  ///< by job, of a log replayed whole; else empty; -1: not known
};

/// The first Plan::job_log.replications replications of every cell, as far as estimates rest on
/// them and jobs have a time: none of bin filling and of queues that passed their limit.
std::vector<results_schema::JobLogId> logged_replications(
    const Plan& plan, const CampaignProgress& progress
);

/// REQUIRES: one of logged_replications(). Throws OutputError where the replication gives another
/// schedule than the journal has. Cost: that of the replication, and of its jobs once more.
ReplicationLog replication_log(
    const CampaignProgress& progress, const results_schema::JobLogId& id
);

}  // namespace schedfarm::app
