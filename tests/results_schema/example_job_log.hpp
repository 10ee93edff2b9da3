// A small job log that follows the schema, and the example results with its replication.
#pragma once

#include "results_schema/job_logs.hpp"

namespace schedfarm::tests {

/// Of replication 1 of cell 1: three jobs on four processors, the last without service.
results_schema::StoredJobLog example_job_log();

/// The example results, in which that replication has the jobs and the fingerprint of the log.
results_schema::ResultFile logged_results();

/// The logs given, one after the other.
results_schema::JobLogSource source_of(std::vector<results_schema::StoredJobLog> logs);

}  // namespace schedfarm::tests
