// Result files on disk: HDF5, written to a temporary name, fsynced, checked and renamed, so that a
// file with the final name is always whole. SCHEMA.md is the contract; `check` holds a file against
// it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "results_schema/job_logs.hpp"
#include "results_schema/tables/table.hpp"

namespace schedfarm::results_schema {

inline constexpr int schema_major = 2;
inline constexpr int schema_minor = 0;

/// A result file that cannot be written or read; the text names the file, the reason and a way out.
class ResultError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// What is wrong with results that schedfarm itself has made: an error of schedfarm.
struct Defect {
    std::int64_t cell = -1;  ///< that it is about; -1: none alone
    std::string problem;
};

struct WrittenResults {
    std::string payload_hash;
    std::vector<Defect> defects;
};

/// Writes the file whole or not at all: on failure throws ResultError and leaves an older file of
/// that name as it was. What check_results() finds in what was written goes into the table
/// `defects`, behind those known before: tables and job logs that do not follow the schema are left
/// out, the others are there. Sets filetype, schema_version, payload_hash and hdf5_version; texts
/// are stored as valid UTF-8 (stored_text.hpp). Equal results give equal bytes with equal HDF5
/// libraries. REQUIRES: the attributes follow the schema. Memory: the results, one job log and
/// the file; then the results as they are read again.
WrittenResults write_results(
    const std::filesystem::path& path,
    ResultFile results,
    const JobLogSource& logs = {},
    std::vector<Defect> known = {}
);

/// Checks file type and version before anything else, then tables, columns and what they say of one
/// another, so that what is returned can be relied on: cells that rows name exist. Files of a later
/// minor version are read as far as this schema goes. Throws ResultError.
ResultFile read_results(const std::filesystem::path& path);

enum class FileKind : std::uint8_t {
    results,     ///< of any version of the schema
    unreadable,  ///< begins as HDF5 files do but cannot be opened: whose it was cannot be told
    other,
};

/// What a file is, its contents unchecked.
FileKind kind_of(const std::filesystem::path& path);

/// The job logs of a result file, by cell and replication. Throws ResultError.
std::vector<JobLogId> job_logs_in(const std::filesystem::path& path);

/// A log of job_logs_in(), checked. Throws ResultError.
StoredJobLog read_job_log(const std::filesystem::path& path, const JobLogId& id);

/// SHA-256 (hex) over the hashed columns: logical values, tables and columns in schema order.
/// REQUIRES: rows in schema order. SCHEMA.md defines it to the byte.
std::string payload_hash(const ResultFile& results);

/// Everything in the file that does not agree with the schema; empty: the file is good. Throws
/// ResultError when it is no readable result file at all.
std::vector<std::string> check_results(const std::filesystem::path& path);

}  // namespace schedfarm::results_schema
