// Figures and the page of HTML, which the Python package draws.
#pragma once

#include <filesystem>
#include <functional>

#include "app/cli/commands/package.hpp"
#include "app/cli/exit_code.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): the name that CLI11 has
class App;
}

namespace schedfarm::app {

/// Declares the command; `selected` becomes what runs it.
void add_plot(CLI::App& app, std::function<ExitCode()>& selected);

/// Has the package draw these results, or write their page of HTML. Returns only where there is no
/// python.
ExitCode draw(
    const std::filesystem::path& results, const std::filesystem::path& output, const Words& words
);

}  // namespace schedfarm::app
