// Small files that are whole or absent: written beside their place under a temporary name, then
// renamed. What is not a regular file (a terminal, a pipe, /dev/null) is written to directly.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace schedfarm::campaigns {

/// Throws OutputError and leaves what was there before.
void write_output(const std::filesystem::path& path, std::string_view text);

/// The text as a gzip file.
std::string gzipped(std::string_view text);

}  // namespace schedfarm::campaigns
