// --format, --columns, --zone, --fields, --cluster, --partitions and --accounts: how a log is read,
// and which of its rows; and how jobs of a model are drawn.
#pragma once

#include <CLI/CLI.hpp>

#include "app/simulate/request.hpp"

namespace schedfarm::app {

/// `log`: the option or word that names it.
void add_reading_options(CLI::App& command, CLI::Option* log, SimulationRequest& request);

/// --job-count, --seed and --utilization. `seed`: whose it is.
void add_model_options(
    CLI::App& command, CLI::Option* model, SimulationRequest& request, const char* seed
);

}  // namespace schedfarm::app
