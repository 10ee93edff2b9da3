// Files that are whole or absent: written beside their place under a temporary name, synced,
// renamed.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>

namespace schedfarm::results_schema {

/// Looks at the temporary file before it gets its name, and throws if it must not.
using Acceptance = std::function<void(const std::filesystem::path& temporary)>;

/// Puts the bytes at `path`, on the disk when it returns. On failure throws ResultError, or what
/// `accept` throws, removes the temporary file `<path>.<process>.tmp` and leaves a file that was
/// there before as it was. A
/// symbolic link is followed; what is not a regular file is refused. A process limit on file sizes
/// is an error like a full disk, not a signal.
void write_whole_file(
    const std::filesystem::path& path, std::span<const std::byte> bytes, const Acceptance& accept
);

/// Whether a file that may be read begins as HDF5 files do.
bool is_hdf5_file(const std::filesystem::path& path);

/// Throws ResultError unless `path` is a regular file that may be read and begins as HDF5 files do.
void expect_hdf5_file(const std::filesystem::path& path);

}  // namespace schedfarm::results_schema
