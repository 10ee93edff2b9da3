// The program's exit codes, documented in docs/reference/command-line.md.
#pragma once

namespace schedfarm::app {

enum class ExitCode : int {
    done = 0,            ///< everything asked for was done
    finished_short = 1,  ///< finished, but replications failed or a check did not pass
    usage = 2,           ///< the command line or a file given is wrong; nothing was started
    stopped = 3,         ///< stopped by a signal or a budget; everything is saved
    internal = 4,        ///< input/output or internal error; nothing is half-written
};

}  // namespace schedfarm::app
