// Starting this program again under mpirun, so that a user on one machine never types mpirun.
#pragma once

#include <cstdint>
#include <optional>

#include "campaigns/cli/exit_code.hpp"

namespace schedfarm::campaigns {

/// Processors that this process may use.
std::uint32_t available_cores();

/// Replaces this process by `mpirun -n ranks <this program> <same arguments>`. Returns only when
/// mpirun cannot be started; throws nothing.
void exec_mpirun(std::uint32_t ranks, int argc, char** argv);

/// Replaces this process by one with a master and `workers` (absent: one per core) under mpirun;
/// the master sleeps. Returns with nothing where the work is to be done in this process (0 workers,
/// or mpirun cannot be started), with an exit code where the number makes no sense.
std::optional<ExitCode> start_workers(std::optional<std::uint32_t> workers, int argc, char** argv);

}  // namespace schedfarm::campaigns
