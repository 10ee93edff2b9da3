// The result file that a command is to read, looked at before it is read: a name that can be mended
// is answered with the command that does it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace schedfarm::app {

/// Throws ResultError where this is a journal, or where there is none but the journal that a killed
/// run leaves beside it.
void expect_results(const std::filesystem::path& results);

/// What a reader of this file should know, or empty: its journal has come farther.
std::string newer_journal_text(const std::filesystem::path& results, std::uint64_t replications);

}  // namespace schedfarm::app
