// The first block of an HDF5 file, after the HDF5 File Format Specification, section II.A (versions
// 2 and 3). HDF5 1.10 hands out the image of an open file with its "open for writing" mark cleared
// but with the checksum of the marked block, which no reader accepts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace schedfarm::results_schema {

inline constexpr std::size_t superblock_size = 48;

/// Where the HDF5 data end, from the first superblock_size bytes of a file; absent for other kinds
/// of superblock than those that result files have.
std::optional<std::uint64_t> end_of_data(std::span<const std::byte> start);

/// Clears the marks of an open file and sets the right checksum. REQUIRES: an image with a
/// superblock of version 2 or 3 and 8-byte offsets.
void close_superblock(std::span<std::byte> image);

}  // namespace schedfarm::results_schema
