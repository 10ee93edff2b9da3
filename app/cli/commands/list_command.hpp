// `schedfarm list` and `schedfarm schema`: what can be named in a campaign, and its JSON Schema.
#pragma once

#include <functional>

#include "app/cli/exit_code.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): the name that CLI11 has
class App;
}

namespace schedfarm::app {

/// Declare the commands; `selected` becomes what runs the one named. Both outlive the parsing.
void add_list(CLI::App& app, std::function<ExitCode()>& selected);
void add_schema(CLI::App& app, std::function<ExitCode()>& selected);

}  // namespace schedfarm::app
