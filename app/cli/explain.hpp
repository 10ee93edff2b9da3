// From an exception to the message that a user sees and the exit code that a script sees.
#pragma once

#include <stdexcept>

#include "app/cli/exit_code.hpp"

namespace schedfarm::app {

struct RunSummary;  // app/run/run_campaign.hpp

/// A word on the command line that means nothing; the text says which, and what to write.
class UsageError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Prints what went wrong on standard error. REQUIRES: called while an exception is being handled.
ExitCode explain_current_exception();

/// Says what is wrong with the results that were written, where anything is: then internal, else
/// the code given.
ExitCode explain_defects(const RunSummary& summary, ExitCode otherwise);

}  // namespace schedfarm::app
