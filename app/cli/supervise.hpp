// Seeing a campaign through on this machine: `schedfarm run` starts its ranks under mpirun and
// stays with them. A rank that dies (killed, out of memory, a defect) ends the whole MPI job; it is
// then started again from the journal. After some such deaths in a row without a new result it
// gives up.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/commands/commands.hpp"
#include "app/plan/plan.hpp"

namespace schedfarm::app {

/// Deaths in a row without a new result after which the run is given up. A replication that kills
/// its rank even when it is isolated is put aside after four.
inline constexpr int most_fruitless_deaths = 6;

/// The exit code of a run that ended so.
ExitCode exit_code_of(engine::JournalEnd end);

/// The command that goes on with a run.
std::string resume_text(const RunCommand& options);

/// Opens or begins the journal as `options` say, and runs the ranks until the campaign is done, is
/// stopped by a signal, or is given up. Absent where mpirun cannot be started. Throws JournalError
/// before any rank starts. REQUIRES: workers are wanted; this process has
/// reserved the journal.
std::optional<ExitCode> supervise_run(
    const RunCommand& options, Plan plan, const std::vector<std::string>& arguments
);

}  // namespace schedfarm::app
