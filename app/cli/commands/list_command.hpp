// `schedfarm list`: what can be named in a campaign.
#pragma once

#include <functional>

#include "app/cli/exit_code.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): the name that CLI11 has
class App;
}

namespace schedfarm::app {

/// Declares the command, which documents everything, one kind or one name; sets `selected` when it
/// is the one named. Both outlive the parsing.
void add_list(CLI::App& app, std::function<ExitCode()>& selected);

}  // namespace schedfarm::app
