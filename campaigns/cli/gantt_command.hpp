// `schedfarm gantt`: who was busy when. A chart of the ranks that computed a campaign; the chart
// that a file has is the default, so that one of the jobs of a schedule can join it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "campaigns/cli/exit_code.hpp"

namespace CLI {
class App;
}

namespace schedfarm::campaigns {

enum class GanttSubject : std::uint8_t { ranks };

struct GanttCommand {
    std::filesystem::path results;
    GanttSubject subject = GanttSubject::ranks;
    std::optional<std::uint64_t> run;  ///< from 1; absent: the last
    std::string format = "text";       ///< text | csv | svg
    std::filesystem::path output;      ///< empty: standard output
};

/// Prints or writes the chart. A file that cannot be written is an error that leaves none behind.
ExitCode gantt_command(const GanttCommand& options);

/// Declares the command and its options; sets `selected` when it is the one named. Both outlive the
/// parsing.
void add_gantt(CLI::App& app, std::function<ExitCode()>& selected);

}  // namespace schedfarm::campaigns
