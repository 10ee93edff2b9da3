// The name of a result file, looked at before anything is computed: what takes hours must not fail
// in its last second for a slip of the finger.
#pragma once

#include <filesystem>

namespace schedfarm::campaigns {

/// Throws UsageError where something has this name that is no file, such as a folder.
void expect_can_be_written(const std::filesystem::path& output);

}  // namespace schedfarm::campaigns
