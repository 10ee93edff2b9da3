// Reads logs of every format, plain or compressed by gzip, in one pass and without holding the
// text: SWF, tables of sacct, CSV by a map of its columns, JSON of sacct and of Batsim, accounting
// records of PBS, Grid Engine, LSF and Slurm's jobcomp. Oddities
// do not stop the reading (oddity.hpp); what is no log does (LogError).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/trace/log.hpp"
#include "models/trace/tables/column_map.hpp"

namespace schedfarm::models::trace {

/// SHA-256 of the uncompressed text takes several times as long as reading it.
enum class Checksum : std::uint8_t { none, sha256 };

enum class LogFormat : std::uint8_t { swf, sacct, csv, json, pbs, grid_engine, lsf, jobcomp };

/// A small file may inflate to more than memory holds.
inline constexpr std::uint64_t most_jobs_of_a_log = 50'000'000;

/// How a log is read.
struct Reading {
    Checksum checksum = Checksum::none;
    FieldSet kept = FieldSet::all();                 ///< the columns to fill
    std::uint64_t most_jobs = most_jobs_of_a_log;    ///< more are refused
    std::optional<LogFormat> format = std::nullopt;  ///< absent: the content tells
    ColumnMap columns = {};                          ///< of a table; none: those of sacct
    std::string zone = {};                           ///< of times that say none; empty: UTC
    RowChoice choice = {};                           ///< of the rows of a table
    std::vector<std::string> fields = {};  ///< of SWF, what stands behind the 18: "nodes", "gpus"
};

/// The log in a file. Throws LogError where it cannot be read: for values of other columns too,
/// and where memory does not suffice.
Log read_log(const std::filesystem::path& file, const Reading& reading = {});

/// The log in a text; messages call it `name`.
Log read_log_text(std::string_view text, const std::string& name, const Reading& reading = {});

}  // namespace schedfarm::models::trace
