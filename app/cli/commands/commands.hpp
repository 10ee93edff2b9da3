// The commands of the program, one function each; main() parses the command line into their
// options. Every function prints what it was asked for on standard output, progress and diagnostics
// on standard error, and returns the exit code. Errors are exceptions, turned into messages in one
// place (main).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/commands/own_code.hpp"
#include "app/cli/commands/package.hpp"
#include "app/cli/exit_code.hpp"
#include "app/cli/launcher.hpp"
#include "app/run/replication.hpp"
#include "app/run/run_campaign.hpp"

namespace schedfarm::app {

struct RunCommand {
    std::filesystem::path campaign;
    std::filesystem::path output;          ///< empty: <campaign name>.h5 in the current folder
    std::optional<std::uint32_t> workers;  ///< 0: in this process; absent: see workers_wanted()
    Launcher launcher = Launcher::automatic;
    double wait_ranks_s = engine::RankWait{}.seconds;
    ExistingJournal existing_journal = ExistingJournal::refuse;
    SimulatorChoice kernel = SimulatorChoice::automatic;
    models::trace::WaitGroups waits = models::trace::WaitGroups::all_jobs;
    std::string progress = "auto";           ///< auto | bar | lines | json | none
    std::string cells;                       ///< "I/N": share I of N, from 1; empty: all cells
    std::optional<double> walltime_s;        ///< the run must end within this time
    std::optional<double> time_limit_s;      ///< of a replication
    std::optional<double> memory_limit_mib;  ///< of a replication, beyond the program's own
    std::uint32_t crashes = 2;               ///< see RunOptions
    FormerFailures former_failures = FormerFailures::retry;
    CodeOf code = CodeOf::this_user;  ///< of policies, that is started
    /// What workers execute; tests put in replications that misbehave.
    std::function<engine::TaskExecutor(SimulatorChoice, models::trace::WaitGroups)> execute =
        replication_function;
};

/// The result file that is meant.
std::filesystem::path output_of(const RunCommand& options);

/// Runs a campaign: as a rank, where mpirun, mpiexec or srun has started this process; else with
/// workers that are its children; or, with a launcher, by ranks that are started: see launch.hpp.
/// `arguments`: of the program.
ExitCode run_command(const RunCommand& options, const std::vector<std::string>& arguments);

/// A policy in C++ becomes a library.
struct BuildPolicyCommand {
    std::filesystem::path source;
    std::filesystem::path output;  ///< empty: <name>.so in the current folder
};
ExitCode build_policy_command(const BuildPolicyCommand& options);

struct PlanCommand {
    std::filesystem::path campaign;
    std::string format = "text";  ///< text | json: the effective configuration alone
};
ExitCode plan_command(const PlanCommand& options);

struct ReplayCommand {
    std::filesystem::path campaign;
    std::filesystem::path output;  ///< of the run to be held to; empty: the default, if it is there
    std::uint32_t cell = 0;
    std::uint32_t replication = 0;
    std::optional<double> utilization;  ///< for cells whose load the program finds
    SimulatorChoice kernel = SimulatorChoice::automatic;
    CodeOf code = CodeOf::this_user;  ///< of policies, that is started
};
/// Runs one replication alone and prints its observations and fingerprint. Throws JournalError
/// where the campaign was run with other contents of its logs.
ExitCode replay_command(const ReplayCommand& options);

struct ReportCommand {
    std::filesystem::path results;
    std::string format = {};  ///< text | markdown | csv | json | latex | html | warnings; empty:
                              ///< text, of a table csv, to a file .html
    std::string table = {};   ///< a table of the file alone; empty: the report
    std::filesystem::path output = {};  ///< the page
    bool is_plain = false;              ///< one table of estimates, without Python
};
/// `words`: what the package is run with.
ExitCode report_command(const ReportCommand& options, Words words);

struct StatusCommand {
    std::filesystem::path path;
    std::string format = "text";  ///< text | json | count: the number of replications alone
};
/// Says how far a run has come, from its journal; may be asked while the run goes on. The path is
/// the result file, the journal beside it, or a campaign file.
ExitCode status_command(const StatusCommand& options);

struct MergeCommand {
    std::filesystem::path output;
    std::vector<std::filesystem::path> parts;
};
/// Joins the runs of parts of a campaign.
ExitCode merge_command(const MergeCommand& options);

struct RebuildCommand {
    std::filesystem::path journal;
    std::filesystem::path output;  ///< empty: the journal's name without ".journal"
};
ExitCode rebuild_command(const RebuildCommand& options);

/// Writes a commented campaign to start from; refuses to overwrite a file.
ExitCode init_command(const std::filesystem::path& path);

}  // namespace schedfarm::app
