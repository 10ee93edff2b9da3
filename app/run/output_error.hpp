// The error of a run that cannot write what it computed.
#pragma once

#include <stdexcept>

namespace schedfarm::app {

/// Journal or result file could not be written; what was synced is safe. Exit code 4.
class OutputError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

}  // namespace schedfarm::app
