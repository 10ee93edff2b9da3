// Guarded reading, in a process of its own: HDF5 crashes on some damaged files.
#pragma once

#include <functional>

namespace schedfarm::results_schema {

/// Does `read` in a child process and closes HDF5 there. What it throws is let go, as whoever reads
/// in earnest meets it too; throws Hdf5Failure where the child died.
void read_guarded(const std::function<void()>& read);

}  // namespace schedfarm::results_schema
