// A job that the policy could never start, met only as it arrives: what comes was not known before
// (where it is, PolicyDescription::check_workload tells).
#pragma once

#include <stdexcept>

namespace schedfarm::engine {

/// The campaign's or the command line's mistake, not the program's; the text names the job.
class UnservedJobError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

}  // namespace schedfarm::engine
