// What the programs share: how a command line is read, and how errors become messages and exit
// codes.
#pragma once

#include <functional>

#include <CLI/CLI.hpp>

#include "app/cli/exit_code.hpp"

namespace schedfarm::app {

/// What to run when a command was named.
using Selected = std::function<ExitCode()>;

struct CommandLine {
    CommandLine(int& argc_of_program, char**& argv_of_program);

    CLI::App app;
    Selected selected;
    int& argc;
    char**& argv;
};

/// Reads the words of the command line, runs the command selected and gives the program's exit
/// code. REQUIRES: every command is declared.
int run_program(CommandLine& line);

}  // namespace schedfarm::app
