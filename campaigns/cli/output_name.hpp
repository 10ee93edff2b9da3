// The name of a result file, looked at before anything is computed: what takes hours must not fail
// in its last second for a slip of the finger.
#pragma once

#include <filesystem>

namespace schedfarm::campaigns {

/// Throws UsageError where results cannot be written, such as at a folder, and where they would
/// replace a file that is neither empty nor HDF5: the campaign, say.
void expect_can_be_written(const std::filesystem::path& output);

}  // namespace schedfarm::campaigns
