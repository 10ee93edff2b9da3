// From an exception to the message that a user sees and the exit code that a script sees.
#pragma once

#include <stdexcept>

#include "app/cli/exit_code.hpp"

namespace schedfarm::app {

/// A word on the command line that means nothing; the text says which, and what to write.
class UsageError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Prints what went wrong on standard error. REQUIRES: called while an exception is being handled.
ExitCode explain_current_exception();

}  // namespace schedfarm::app
