// Small files that are whole or absent: written beside their place under a temporary name, then
// renamed. A file that begins otherwise is of another kind, and is not replaced. What is not a
// regular file (a terminal, a pipe, /dev/null) is written to directly.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace schedfarm::app {

/// Throws OutputError and leaves what was there before.
void write_output(const std::filesystem::path& path, std::string_view text);

/// `text` on standard output, and `page` as that file unless `path` is empty. The file first, for a
/// reader that is gone ends the process; the text also where the file cannot be written.
void print_and_write(
    std::string_view text, const std::filesystem::path& path, std::string_view page
);

/// The text as a gzip file.
std::string gzipped(std::string_view text);

}  // namespace schedfarm::app
