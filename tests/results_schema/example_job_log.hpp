// A small job log that follows the schema, and the example results with its replication.
#pragma once

#include <cstdint>
#include <vector>

#include "results_schema/job_logs.hpp"

namespace schedfarm::tests {

struct LoggedJob {
    std::uint64_t job;
    double submit;
    double start;
    double finish;
    double service;
    std::uint64_t processors;
    std::uint64_t job_class = 0;
};

/// Adds the job, with the estimate 8 and of user 42.
void add_logged_job(results_schema::StoredJobLog& log, const LoggedJob& job);

/// Adds a range of processors that the job held.
void add_range(
    results_schema::StoredJobLog& log, std::uint64_t job, std::uint64_t first, std::uint64_t last
);

/// Of replication 1 of cell 1: three jobs on four processors, the last without service.
results_schema::StoredJobLog example_job_log();

/// The example results, in which that replication has the jobs and the fingerprint of the log.
results_schema::ResultFile logged_results();

/// The logs given, one after the other.
results_schema::JobLogSource source_of(std::vector<results_schema::StoredJobLog> logs);

}  // namespace schedfarm::tests
