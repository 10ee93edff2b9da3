#include "app/cli/commands/options/run_options.hpp"

#include <map>
#include <string>

#include "app/cli/number_options.hpp"
#include "app/cli/program.hpp"

namespace schedfarm::app {

namespace {

using Options = std::shared_ptr<RunCommand>;

void add_files(CLI::App& command, const Options& options) {
    command
        .add_option(
            "campaign",
            options->campaign,
            options->existing_journal == ExistingJournal::resume
                ? "Campaign file (YAML), or the result file or journal of its run, which goes on "
                  "with the campaign as it was begun"
                : "Campaign file (YAML)"
        )
        ->required();
    command.add_option(
        "-o,--output",
        options->output,
        "Result file (HDF5); the journal lies beside it. Default: <campaign file's name>.h5 here"
    );
    command
        .add_option(
            "-w,--workers",
            options->workers,
            "Worker processes; 0 computes in this process. Default: one per core, or per task of "
            "the Slurm job. Under mpirun, mpiexec or srun: of every rank but the first, one by "
            "default"
        )
        ->transform(whole_number())
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeFirst);
    const std::map<std::string, Launcher> launchers{
        {"auto", Launcher::automatic},
        {"local", Launcher::local},
        {"mpirun", Launcher::mpirun},
        {"mpiexec", Launcher::mpiexec},
        {"srun", Launcher::srun}};
    command
        .add_option(
            "--launcher",
            options->launcher,
            "Who starts the workers: this process (local), or a launcher, as ranks of MPI. auto: "
            "mpirun or srun in a Slurm job of several nodes, else local"
        )
        ->transform(CLI::CheckedTransformer(launchers, CLI::ignore_case)
                        .description("{auto,local,mpirun,mpiexec,srun}"))
        ->type_name("TEXT")
        ->default_str("auto")
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeFirst);
    command
        .add_option(
            "--wait-ranks",
            options->wait_ranks_s,
            "Seconds that rank 0 waits for the other ranks of a launcher before it gives up (exit "
            "code 2)"
        )
        ->transform(positive_number())
        ->capture_default_str();
    command.add_option(
        "--cells",
        options->cells,
        "I/N: compute share I of N of the cells only, such as a task of a job array; join the "
        "shares with `schedfarm merge`"
    );
    command
        .add_option(
            "--walltime",
            options->walltime_s,
            "Seconds that the run may last: it stops with everything saved (exit code 3) before a "
            "replication would outlast them"
        )
        ->transform(positive_number());
    command.add_option("--progress", options->progress, "Progress on standard error")
        ->check(CLI::IsMember({"auto", "bar", "lines", "json", "none"}))
        ->capture_default_str();
}

void add_beginnings(CLI::App& command, const Options& options) {
    command.add_flag_callback(
        "--fresh",
        [options] { options->existing_journal = ExistingJournal::replace; },
        "Begin anew: an existing journal of this output is removed"
    );
    command.add_flag_callback(
        "--extend",
        [options] { options->existing_journal = ExistingJournal::extend; },
        "Go on under a changed campaign (tighter precision, more loads): replications of cells "
        "that are still the same are kept"
    );
}

void add_former_failures(CLI::App& command, const Options& options) {
    CLI::Option* keep = command.add_flag_callback(
        "--keep-failed",
        [options] { options->former_failures = FormerFailures::keep; },
        "Try no failed replication again. Default: all but those that crashed"
    );
    CLI::Option* all = command.add_flag_callback(
        "--retry-quarantined",
        [options] { options->former_failures = FormerFailures::retry_all; },
        "Try those that crashed again too, one at a time"
    );
    keep->excludes(all);
}

void add_kernels(CLI::App& command, const Options& options) {
    command.add_flag_callback(
        "--general",
        [options] { options->kernel = SimulatorChoice::general; },
        "Use the general kernel even where a faster one with the same results exists"
    );
    command.add_flag_callback(
        "--verify",
        [options] { options->kernel = SimulatorChoice::verified; },
        "General kernel, which checks the machine and promises to jobs (slower)"
    );
    command.add_flag_callback(
        "--waits",
        [options] { options->waits = models::trace::WaitGroups::of_every_kind; },
        "Compare logged and simulated waits of a whole log also by partition, "
        "queue, size and run time"
    );
}

void add_protection(CLI::App& command, const Options& options) {
    command
        .add_option(
            "--time-limit",
            options->time_limit_s,
            "Seconds of wall clock that a replication may take; needs workers"
        )
        ->transform(positive_number());
    command
        .add_option(
            "--memory-limit",
            options->memory_limit_mib,
            "MiB that a replication may take beyond the program's own; needs workers"
        )
        ->transform(positive_number());
    command.add_flag_callback(
        "--allow-code",
        [options] { options->code = CodeOf::anybody; },
        "Start the code of a policy also where it belongs to another user, or others can change it"
    );
    command
        .add_option(
            "--crashes",
            options->crashes,
            "A replication that has crashed this often is put aside and the campaign goes on"
        )
        ->transform(whole_number(1, 1000))
        ->capture_default_str();
}

}  // namespace

CLI::App* add_run_command(
    CLI::App& program, const char* name, const std::shared_ptr<RunCommand>& options
) {
    CLI::App* command = add_command(program, name);
    add_files(*command, options);
    if (options->existing_journal == ExistingJournal::resume) {
        add_former_failures(*command, options);
    } else {
        add_beginnings(*command, options);
    }
    add_kernels(*command, options);
    add_protection(*command, options);
    return command;
}

}  // namespace schedfarm::app
