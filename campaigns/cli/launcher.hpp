// Starting this program again under mpirun, so that a user on one machine never types mpirun.
#pragma once

#include <cstdint>

namespace schedfarm::campaigns {

/// Processors that this process may use.
std::uint32_t available_cores();

/// Replaces this process by `mpirun -n ranks <this program> <same arguments>`. Returns only when
/// mpirun cannot be started; throws nothing.
void exec_mpirun(std::uint32_t ranks, int argc, char** argv);

}  // namespace schedfarm::campaigns
