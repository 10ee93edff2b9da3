// Declares `completion`, which tells a shell the words of the others.
#pragma once

#include "app/cli/program.hpp"

namespace schedfarm::app {

/// `selected` becomes what prints the script. REQUIRES: every other command is declared.
void add_completion(CLI::App& app, Selected& selected);

}  // namespace schedfarm::app
