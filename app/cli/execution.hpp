// What executes replications on a rank: a function in this process, or children of a server that is
// forked before MPI begins.
#pragma once

#include <optional>

#include "engine/farm/processes/isolation.hpp"

#include "app/cli/commands/commands.hpp"

namespace schedfarm::app {

class Execution {
  public:
    /// Forks the server where replications may have to be isolated. REQUIRES: MPI has not begun,
    /// and no thread. `options` outlives the execution.
    explicit Execution(const RunCommand& options);

    /// REQUIRES: called once. This execution outlives the function.
    engine::TaskExecutor function();

  private:
    const RunCommand& options_;
    std::optional<engine::IsolationServer> server_;
};

}  // namespace schedfarm::app
