// The seal of a result file: a line after the end of the HDF5 data with the SHA-256 of everything
// before it. HDF5 ignores what follows its data, and some damaged files make it crash: a sealed
// file is compared with its seal before HDF5 sees it. A tool that changes the file cuts the seal
// off.
#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

namespace schedfarm::results_schema {

/// Appends the seal to the bytes of an HDF5 file.
void append_seal(std::vector<std::byte>& image);

/// Throws Hdf5Failure when the file has bytes after its HDF5 data that are not its seal.
/// Cost: reads a sealed file once. REQUIRES: the file begins as HDF5 files do.
void expect_unbroken_seal(const std::filesystem::path& path);

}  // namespace schedfarm::results_schema
