// The first block of an HDF5 file, after the HDF5 File Format Specification, section II.A (versions
// 2 and 3). HDF5 1.10 hands out the image of an open file with its "open for writing" mark cleared
// but with the checksum of the marked block, which no reader accepts.
#pragma once

#include <cstddef>
#include <span>

namespace schedfarm::results_schema {

/// Clears the marks of an open file and sets the right checksum. REQUIRES: an image with a
/// superblock of version 2 or 3 and 8-byte offsets.
void close_superblock(std::span<std::byte> image);

}  // namespace schedfarm::results_schema
