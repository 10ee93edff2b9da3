// What disks, transfers and editors do to a file: bits flipped, bytes overwritten, pieces lost,
// doubled, moved, filled with zeros; the end cut off, noise behind it. Pure.
#pragma once

#include <cstdint>
#include <string>

namespace schedfarm::tests {

/// One to three such damages. A function of the arguments.
std::string damaged_bytes(std::string bytes, std::uint64_t seed);

/// Random bytes, sometimes behind the first bytes of `beginning`.
std::string noise(const std::string& beginning, std::uint64_t seed);

}  // namespace schedfarm::tests
