// --format, --columns, --zone, --fields, --cluster, --partitions and --accounts: how a log is read,
// and which of its rows.
#pragma once

#include <CLI/CLI.hpp>

#include "app/simulate/request.hpp"

namespace schedfarm::app {

/// `log`: the option or word that names it.
void add_reading_options(CLI::App& command, CLI::Option* log, SimulationRequest& request);

}  // namespace schedfarm::app
