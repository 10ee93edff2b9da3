// `schedfarm gantt`: who was busy when. A chart of the ranks that computed a campaign, or of the
// jobs of a schedule: a table of jobs, a log of a real machine, or the log of a replication in a
// result file. The file says which of them. The Python package draws; what it must ask the program
// for comes from here as a table.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "app/cli/commands/package.hpp"
#include "app/cli/exit_code.hpp"
#include "app/simulate/request.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): the name that CLI11 has
class App;
}

namespace schedfarm::app {

/// What the package asks for: the jobs of a log; of a cell what is simulated again, or the names of
/// its nodes.
enum class RawTable : std::uint8_t { jobs, segments, nodes, names };

struct GanttCommand {
    std::string input;  ///< a file; "-": a table of jobs on standard input
    std::filesystem::path output;
    std::uint64_t cell = 0;  ///< of a result file
    std::uint64_t replication = 0;
    SimulationRequest log;        ///< of a log: how it is read
    std::optional<RawTable> raw;  ///< absent: the package draws
};

/// Has the package print or write the chart, or prints the table that it wants.
ExitCode gantt_command(const GanttCommand& options, const Words& words);

/// Declares the command and its options; sets `selected` when it is the one named. Both outlive the
/// parsing.
void add_gantt(CLI::App& app, std::function<ExitCode()>& selected);

}  // namespace schedfarm::app
