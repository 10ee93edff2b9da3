// Reads logs in the Standard Workload Format, plain or compressed by gzip, in one pass and without
// holding the text. Oddities do not stop the reading (oddity.hpp); what is no log does (LogError).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "models/trace/log.hpp"

namespace schedfarm::models::trace {

/// SHA-256 of the uncompressed text takes several times as long as reading it.
enum class Checksum : std::uint8_t { none, sha256 };

/// A small file may inflate to more than memory holds.
inline constexpr std::uint64_t most_jobs_of_a_log = 50'000'000;

/// The log in a file, with the columns that are kept. Throws LogError where it cannot be read: for
/// values of other columns too, where it has more than `most_jobs`, and where memory does not
/// suffice.
Log read_log(
    const std::filesystem::path& file,
    Checksum checksum = Checksum::none,
    FieldSet kept = FieldSet::all(),
    std::uint64_t most_jobs = most_jobs_of_a_log
);

/// The log in a text; messages call it `name`.
Log read_log_text(
    std::string_view text, const std::string& name, Checksum checksum = Checksum::none
);

}  // namespace schedfarm::models::trace
