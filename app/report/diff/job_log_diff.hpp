// What distinguishes the job logs of two result files, job by job.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace schedfarm::app {

struct JobLogDiff {
    std::size_t logs = 0;            ///< of the same cell and replication in both files
    std::vector<std::string> lines;  ///< one per log or list of processors that differs
};

/// Logs that only one of the files has are passed over: they are no results. Throws ResultError.
JobLogDiff diff_job_logs(const std::filesystem::path& a, const std::filesystem::path& b);

}  // namespace schedfarm::app
