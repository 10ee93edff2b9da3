// Result files on disk: HDF5, written to a temporary name, fsynced and renamed, so that a file with
// the final name is always whole. SCHEMA.md is the contract; `check` holds a file against it.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "results_schema/table.hpp"

namespace schedfarm::results_schema {

inline constexpr int schema_major = 1;
inline constexpr int schema_minor = 0;
inline constexpr int oldest_readable_major = 1;

/// A result file that cannot be written or read; the text names the file, the reason and a way out.
class ResultError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Writes the file whole or not at all. Adds filetype, schema_version and payload_hash to the root.
void write_results(const std::filesystem::path& path, const ResultFile& results);

/// Checks file type and version before anything else. Throws ResultError.
ResultFile read_results(const std::filesystem::path& path);

/// SHA-256 (hex) over the hashed columns: logical values, tables and columns in schema order.
std::string payload_hash(const ResultFile& results);

/// Everything in the file that does not agree with the schema; empty: the file is good.
std::vector<std::string> check_results(const std::filesystem::path& path);

}  // namespace schedfarm::results_schema
