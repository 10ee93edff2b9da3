// Who starts the workers of a run, how many, and with what words.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace schedfarm::app {

enum class Launcher : std::uint8_t {
    automatic,  ///< in a Slurm job of several nodes mpirun, or srun where there is none; else local
    local,      ///< children of this process
    mpirun,
    mpiexec,
    srun,
};

/// As it is written on the command line.
std::string word_of(Launcher launcher);

/// The program with all commands, which lies beside the one that users start (lean_main.cpp).
inline constexpr const char* farm_program = "schedfarm-farm";

/// The file of this program; of the program with all commands the one that users start.
std::filesystem::path own_program();

/// Processors that this process may use.
std::uint32_t available_cores();

/// Never `automatic`. Throws UsageError where the launcher is not in the path.
Launcher launcher_wanted(Launcher launcher);

/// How many workers are meant; absent: one per task of the Slurm job, or per core. Throws
/// UsageError where children of this process would be too many for this machine.
std::uint32_t workers_wanted(std::optional<std::uint32_t> workers, Launcher launcher);

/// `mpirun -n ranks <this program> <arguments>` or alike; sets what Open MPI wants in the
/// environment for it. REQUIRES: a launcher of ranks.
std::vector<std::string> launcher_words(
    Launcher launcher, std::uint32_t ranks, const std::vector<std::string>& arguments
);

}  // namespace schedfarm::app
