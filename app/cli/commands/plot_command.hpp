// Figures and the page of HTML, which the Python package draws.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/exit_code.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): the name that CLI11 has
class App;
}

namespace schedfarm::app {

struct PlotCommand {
    std::filesystem::path results;
    std::filesystem::path output;
    std::string kind;  ///< empty: what the campaign's factors suggest
    std::string x;
    std::string y;
    std::vector<std::string> by;
    std::string facet;
    std::string range;
    std::optional<double> top;
    std::vector<std::string> select;
    std::filesystem::path saturation;
    std::optional<std::uint32_t> cell;
    std::optional<std::uint32_t> replication;
    std::string style;
    std::string unit;  ///< of times in seconds; empty: as they read best
};

/// Declares the command; `selected` becomes what runs it.
void add_plot(CLI::App& app, std::function<ExitCode()>& selected);

/// Writes a figure. Returns only where there is no python.
ExitCode plot_command(const PlotCommand& options);

/// Writes a result file as a page of HTML, times in a unit as in PlotCommand. Returns only where
/// there is no python.
ExitCode html_report(
    const std::filesystem::path& results,
    const std::filesystem::path& output,
    const std::string& unit
);

}  // namespace schedfarm::app
