// The seal of a result file: a line after the end of the HDF5 data with the SHA-256 of everything
// before it. HDF5 ignores what follows its data, and some damaged files make it crash: a sealed
// file is compared with its seal before HDF5 sees it. A tool that changes the file cuts the seal
// off; such a file is read on trial first (trial_reading.hpp).
#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

namespace schedfarm::results_schema {

/// Appends the seal to the bytes of an HDF5 file.
void append_seal(std::vector<std::byte>& image);

/// False for a file without a seal. Throws Hdf5Failure when the file is shorter than its HDF5 data,
/// or has bytes after them that are not its seal. Cost: reads a sealed file once. REQUIRES: the
/// file begins as HDF5 files do.
bool has_unbroken_seal(const std::filesystem::path& path);

}  // namespace schedfarm::results_schema
