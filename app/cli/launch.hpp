// Seeing a campaign through that a launcher starts: mpirun, mpiexec or srun. This process starts
// it, turns signals into what the ranks understand, and says how the run ended. That is read in the
// journal: launchers have exit codes and words of their own, which decide nothing.
#pragma once

#include <string>
#include <vector>

#include "app/cli/commands/commands.hpp"

namespace schedfarm::app {

inline constexpr const char* stopping_text =
    "stopping: what is under way is finished and saved. Once more (Ctrl-C) stops at once; the "
    "journal keeps what is done";

/// The exit code of a run that ended so.
ExitCode exit_code_of(engine::JournalEnd end);

/// The command that goes on with a run.
std::string resume_text(const RunCommand& options);

/// Runs `workers` ranks beside the master, with the arguments of this program. Throws UsageError
/// where the launcher cannot be started or no rank has computed anything. REQUIRES: a launcher of
/// ranks; the campaign is known to be in order.
ExitCode launch(
    const RunCommand& options,
    Launcher launcher,
    std::uint32_t workers,
    const std::vector<std::string>& arguments
);

}  // namespace schedfarm::app
