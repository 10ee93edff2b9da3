// Result files on disk: HDF5, written to a temporary name, fsynced, checked and renamed, so that a
// file with the final name is always whole. SCHEMA.md is the contract; `check` of the package holds
// a file against it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "results_schema/job_logs.hpp"
#include "results_schema/tables/table.hpp"

namespace schedfarm::results_schema {

inline constexpr int schema_major = 3;
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
/// that name as it was. What does not follow the schema, or is read again as another payload than
/// was written, goes into the table `defects`, behind those known before: such tables and job logs
/// are left out, the others are there. Sets filetype, schema_version, payload_hash and
/// hdf5_version; texts are stored as valid UTF-8 (stored_text.hpp). Equal results give equal bytes
/// with equal HDF5 libraries. REQUIRES: the attributes follow the schema. Memory: the results, one
/// job log and the file; then the results as they are read again.
WrittenResults write_results(
    const std::filesystem::path& path,
    ResultFile results,
    const JobLogSource& logs = {},
    std::vector<Defect> known = {}
);

/// Checks file type and version before anything else, then tables and columns, so that what is
/// returned can be relied on: cells that rows name exist. Files of a later
/// minor version are read as far as this schema goes. Throws ResultError.
ResultFile read_results(const std::filesystem::path& path);

/// The same of a file that this process has written, unchecked: nothing in it can make HDF5 crash.
ResultFile read_own_results(const std::filesystem::path& path);

enum class FileKind : std::uint8_t {
    results,     ///< of any version of the schema
    unreadable,  ///< begins as HDF5 files do but cannot be opened: whose it was cannot be told
    other,
};

/// What a file is, its contents unchecked.
FileKind kind_of(const std::filesystem::path& path);

/// SHA-256 (hex) over the hashed columns: logical values, tables and columns in schema order.
/// REQUIRES: rows in schema order. SCHEMA.md defines it to the byte.
std::string payload_hash(const ResultFile& results);

}  // namespace schedfarm::results_schema
