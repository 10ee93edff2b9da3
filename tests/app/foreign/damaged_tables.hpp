// What other programs do to a result file through HDF5 itself: values overwritten, tables and
// columns renamed, cut, exchanged or replaced, attributes changed. The file is sound HDF5; what it
// holds is no result of this program.
#pragma once

#include <cstdint>
#include <filesystem>

namespace schedfarm::tests {

/// One to three such changes. A function of file and seed. REQUIRES: a file that was written here.
void damage_tables(const std::filesystem::path& path, std::uint64_t seed);

}  // namespace schedfarm::tests
