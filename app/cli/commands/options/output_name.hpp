// The name of a result file, looked at before anything is computed: what takes hours must not fail
// in its last second for a slip of the finger.
#pragma once

#include <cstdint>
#include <filesystem>

namespace schedfarm::app {

/// An HDF5 file that cannot be opened and has no journal beside it.
enum class Damaged : std::uint8_t {
    is_kept,      ///< it may be of something else
    is_replaced,  ///< the user begins anew
};

/// Throws UsageError where results cannot be written, such as at a folder, and where they would
/// replace a file that is neither empty nor results: the campaign, say.
void expect_can_be_written(const std::filesystem::path& output, Damaged damaged = Damaged::is_kept);

}  // namespace schedfarm::app
