// `schedfarm simulate`: one simulation without a campaign, for a first look and for scripts.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "app/cli/commands/own_code.hpp"
#include "app/cli/exit_code.hpp"
#include "app/simulate/request.hpp"
#include "app/simulate/simulate.hpp"
#include "app/simulate/simulation_text.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): the name that CLI11 has
class App;
}

namespace schedfarm::app {

struct SimulateCommand {
    SimulationRequest request;
    SimulatorChoice kernel = SimulatorChoice::automatic;
    std::string jobs;  ///< where the jobs go as CSV; "-": standard output, in place of the summary
    JobColumns columns = JobColumns::usual;  ///< of the jobs
    std::string format = "text";             ///< text | json
    CodeOf code = CodeOf::this_user;         ///< of the policy, that is started
};

/// Prints the summary. Exit code 1 where a verifier objects to the schedule.
ExitCode simulate_command(const SimulateCommand& options);

/// Declares the command and its options; sets `selected` when it is the one named. Both outlive the
/// parsing.
void add_simulate(CLI::App& app, std::function<ExitCode()>& selected);

/// Likewise of `schedfarm site`, which --help does not show: a site's files as JSON.
void add_site_command(CLI::App& app, std::function<ExitCode()>& selected);

}  // namespace schedfarm::app
