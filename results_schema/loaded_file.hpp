// A result file as it was found: what could be read of it, and what no version of the schema has.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "results_schema/job_logs.hpp"
#include "results_schema/result_io.hpp"
#include "results_schema/tables/table.hpp"

namespace schedfarm::results_schema {

struct SchemaVersion {
    int major = 0;
    int minor = 0;
};

struct LoadedFile {
    ResultFile results;
    SchemaVersion version;
    std::vector<JobLogId> job_logs;    ///< ascending
    std::vector<std::string> remarks;  ///< objects and attributes that were passed over
};

/// Checks file type and version before anything else, and that its tables can be read. Throws
/// ResultError.
LoadedFile load_results(const std::filesystem::path& path);

/// The same, and that its logs can be read.
LoadedFile load_results_with_logs(const std::filesystem::path& path);

/// The same of a file that this process has written: nothing in it can make HDF5 crash.
LoadedFile load_own_results(const std::filesystem::path& path);

/// As check_results(), of a file as it was loaded.
std::vector<Defect> problems_in(const std::filesystem::path& path, const LoadedFile& loaded);

/// A log as it is, unchecked. REQUIRES: the file has it and was loaded with its logs, or is this
/// process's own. Throws ResultError.
StoredJobLog load_job_log(
    const std::filesystem::path& path, const JobLogId& id, std::vector<std::string>& remarks
);

}  // namespace schedfarm::results_schema
