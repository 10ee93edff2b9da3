// `schedfarm submit`: a campaign becomes a Slurm job.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "app/cli/exit_code.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): the name that CLI11 has
class App;
}

namespace schedfarm::app {

enum class SubmitMode : std::uint8_t { submit, dry_run };

struct SubmitCommand {
    std::filesystem::path campaign;
    std::filesystem::path output;  ///< empty: <campaign name>.h5 in the current folder
    std::uint32_t nodes = 1;
    std::uint32_t ntasks = 4;
    std::string time;  ///< empty: from the pilot
    std::uint32_t notice_s = 120;
    std::string partition;
    std::string account;
    std::uint32_t array = 1;
    std::uint32_t array_limit = 0;     ///< of tasks at once; 0: none
    std::string when_cut = "requeue";  ///< requeue | chain | stop
    std::string launcher = "auto";     ///< of `run`
    std::vector<std::string> options;  ///< passed on to sbatch
    std::vector<std::string> setup;    ///< shell lines
    std::filesystem::path program;     ///< on the nodes; empty: the one that runs
    double pilot_seconds = 20;         ///< 0: no pilot
    SubmitMode mode = SubmitMode::submit;
};

/// Validates, measures, says what the campaign will cost, writes the script and submits it.
ExitCode submit_command(const SubmitCommand& options);

/// Declares the command and its options; sets `selected` when it is the one named. Both outlive the
/// parsing.
void add_submit(CLI::App& app, std::function<ExitCode()>& selected);

}  // namespace schedfarm::app
