#include <memory>

#include <CLI/CLI.hpp>

#include "app/cli/commands/submit_command.hpp"
#include "app/cli/number_options.hpp"
#include "app/cli/program.hpp"

namespace schedfarm::app {

namespace {

/// "100" or "100%8": tasks, and how many of them at once.
void set_array(const std::string& text, SubmitCommand& options) {
    const CLI::Validator number = whole_number(1, 10'000);
    const auto read = [&number](std::string part) {
        if (const std::string error = number(part); !error.empty()) {
            throw CLI::ValidationError("--array", error);
        }
        return static_cast<std::uint32_t>(std::stoul(part));
    };
    const std::size_t mark = text.find('%');
    options.array = read(text.substr(0, mark));
    options.array_limit = mark == std::string::npos ? 0 : read(text.substr(mark + 1));
}

void add_sizes(CLI::App& command, SubmitCommand& options) {
    command.add_option("-N,--nodes", options.nodes, "Nodes")
        ->transform(whole_number(1, 100'000))
        ->capture_default_str();
    command.add_option("-n,--ntasks", options.ntasks, "Workers; the master needs no core")
        ->transform(whole_number(1, 1'000'000))
        ->capture_default_str();
    command.add_option(
        "-t,--time",
        options.time,
        "Time limit of a job, as sbatch takes it: minutes, h:m:s, days-h:m:s. Default: from the "
        "pilot"
    );
    command.add_option("-p,--partition", options.partition, "Partition. Default: Slurm's");
    command.add_option("-A,--account", options.account, "Account. Default: Slurm's");
    command
        .add_option_function<std::string>(
            "-a,--array",
            [&options](const std::string& text) { set_array(text, options); },
            "Share the cells out to this many jobs, and merge them; 100%8: eight of them at once"
        )
        ->default_str("1");
    command
        .add_option(
            "--notice",
            options.notice_s,
            "Seconds before the time limit at which the run is stopped"
        )
        ->transform(whole_number(5, 3600))
        ->capture_default_str();
}

void add_behaviour(CLI::App& command, SubmitCommand& options) {
    command
        .add_option(
            "--when-cut",
            options.when_cut,
            "When the time is over before the campaign is: requeue the job (held for two minutes), "
            "go on in a chain of jobs (at once), or stop"
        )
        ->check(CLI::IsMember({"requeue", "chain", "stop"}))
        ->capture_default_str();
    command.add_option("--launcher", options.launcher, "Who starts the workers: see `run`")
        ->check(CLI::IsMember({"auto", "local", "mpirun", "mpiexec", "srun"}))
        ->capture_default_str();
    command
        .add_option(
            "--sbatch",
            options.options,
            "Further option of sbatch, such as --sbatch=--mem=4G; repeat"
        )
        ->allow_extra_args(false);
    command
        .add_option(
            "--setup",
            options.setup,
            "Shell line before the run, such as 'module load openmpi'; repeat"
        )
        ->allow_extra_args(false);
    command.add_option(
        "--program", options.program, "schedfarm as the nodes see it. Default: this very program"
    );
    command
        .add_option(
            "--pilot-seconds",
            options.pilot_seconds,
            "Time to measure a few replications here; 0: none"
        )
        ->transform(number_between(0, 3600))
        ->capture_default_str();
    command.add_flag_callback(
        "--dry-run",
        [&options] { options.mode = SubmitMode::dry_run; },
        "Print the script; write and submit nothing"
    );
}

}  // namespace

void add_submit(CLI::App& app, std::function<ExitCode()>& selected) {
    auto options = std::make_shared<SubmitCommand>();
    CLI::App* command = add_command(app, "submit");
    command->add_option("campaign", options->campaign, "Campaign file (YAML)")->required();
    command->add_option(
        "-o,--output",
        options->output,
        "Result file (HDF5), on a file system that the nodes see. Default: <campaign file's "
        "name>.h5 here"
    );
    add_sizes(*command, *options);
    add_behaviour(*command, *options);
    select(*command, selected, [options] { return submit_command(*options); });
}

}  // namespace schedfarm::app
