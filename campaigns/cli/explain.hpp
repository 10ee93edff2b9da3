// From an exception to the message that a user sees and the exit code that a script sees.
#pragma once

#include "campaigns/cli/exit_code.hpp"

namespace schedfarm::campaigns {

/// Prints what went wrong on standard error. REQUIRES: called while an exception is being handled.
ExitCode explain_current_exception();

}  // namespace schedfarm::campaigns
