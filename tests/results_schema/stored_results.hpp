// What stands in a result file, for tests: the program itself reads no job logs, and `check` is the
// package's.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "results_schema/job_logs.hpp"

namespace schedfarm::tests {

/// What the program's own guards find: structure, cells that exist, the payload's hash. Throws
/// ResultError where a reader refuses the file.
std::vector<std::string> problems_of_file(const std::filesystem::path& path);

/// The names below /jobs, as "1/0 1/2"; empty: there are none.
std::string logs_in(const std::filesystem::path& path);

results_schema::StoredJobLog stored_log(
    const std::filesystem::path& path, const results_schema::JobLogId& id
);

}  // namespace schedfarm::tests
