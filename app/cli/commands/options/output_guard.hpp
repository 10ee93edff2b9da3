// Guards the files that a command reads against what it writes.
#pragma once

#include <filesystem>

namespace schedfarm::app {

/// Throws UsageError where both are one file, by whatever names.
void expect_other_file(const std::filesystem::path& output, const std::filesystem::path& input);

}  // namespace schedfarm::app
