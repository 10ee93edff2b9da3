// The options of `run` and `resume` on the command line.
#pragma once

#include <memory>

#include <CLI/CLI.hpp>

#include "app/cli/commands/commands.hpp"

namespace schedfarm::app {

/// Adds the command to the program; what is parsed ends in `options`. `resume` is the one whose
/// options say that an existing journal is gone on with.
CLI::App* add_run_command(
    CLI::App& program, const char* name, const std::shared_ptr<RunCommand>& options
);

}  // namespace schedfarm::app
