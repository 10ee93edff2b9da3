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
#include <vector>

#include "app/cli/exit_code.hpp"
#include "app/simulate/request.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): the name that CLI11 has
class App;
}

namespace schedfarm::app {

enum class GanttSubject : std::uint8_t { what_the_file_has, ranks };

/// What the package asks for: the jobs of a log; of a cell what is simulated again, or the names of
/// its nodes.
enum class RawTable : std::uint8_t { jobs, segments, nodes, names };

/// The part of a schedule that is drawn.
struct GanttView {
    std::optional<double> from_s;  ///< default: the first submit
    std::optional<double> to_s;    ///< default: the last finish
};

struct GanttCommand {
    std::string input;  ///< a file; "-": a table of jobs on standard input
    GanttSubject subject = GanttSubject::what_the_file_has;
    std::optional<std::uint64_t> run;         ///< of the ranks, from 1; absent: the last
    std::optional<std::uint64_t> cell;        ///< of a result file: draws the jobs of its log
    std::uint64_t replication = 0;            ///< of that cell
    std::optional<std::uint32_t> processors;  ///< of the machine; absent: what the file says
    std::vector<std::uint32_t> clusters;      ///< of a table of jobs: processors of each
    std::optional<std::string> unit;          ///< of a table of jobs; absent: seconds
    SimulationRequest log;                    ///< of a log: how it is read
    GanttView view;                           ///< of jobs
    std::string colour;                       ///< of figures of jobs, what colours tell
    bool has_trees = false;                   ///< of figures of jobs: lines between trees
    std::string style;                        ///< of figures, their width; empty: a page's
    std::string format;                       ///< empty: by the suffix of the output, else text
    std::optional<RawTable> raw;              ///< absent: the package draws
    std::filesystem::path output;             ///< empty: standard output
};

/// Has the package print or write the chart, or prints the table that is wanted of here.
ExitCode gantt_command(const GanttCommand& options);

/// Declares the command and its options; sets `selected` when it is the one named. Both outlive the
/// parsing.
void add_gantt(CLI::App& app, std::function<ExitCode()>& selected);

}  // namespace schedfarm::app
