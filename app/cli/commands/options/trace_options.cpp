#include <memory>

#include <CLI/CLI.hpp>

#include "app/cli/commands/options/reading_options.hpp"
#include "app/cli/commands/trace_command.hpp"
#include "app/cli/number_options.hpp"
#include "app/cli/program.hpp"

namespace schedfarm::app {

namespace {

void add_source_options(CLI::App& command, SimulationRequest& request) {
    CLI::Option* log = command.add_option(
        "log",
        request.trace,
        "A log, SWF or a table such as that of sacct -P, plain or .gz: a path, a name in "
        "$SCHEDFARM_TRACES, or example"
    );
    CLI::Option* model =
        command.add_option("--model", request.model, "A workload model that makes the jobs");
    log->excludes(model);
    command.add_option("--max-jobs", request.max_jobs, "Refuse a log with more jobs")
        ->needs(log)
        ->transform(whole_number(1))
        ->capture_default_str();
    add_reading_options(command, log, request);
    CLI::Option* processors = command.add_option(
        "-p,--processors",
        request.clusters,
        "Processors that a model fills, or of a log's machine where its header does not say it"
    );
    model->needs(processors);
    add_model_options(
        command,
        model,
        request,
        "Seed of a model, or of a log that is resampled, shaken or has modelled estimates"
    );
}

}  // namespace

void add_trace(CLI::App& app, std::function<ExitCode()>& selected) {
    auto options = std::make_shared<TraceCommand>();
    CLI::App* command = add_command(app, "trace");
    add_source_options(*command, options->request);
    command
        ->add_option(
            "--set",
            options->request.settings,
            "workload.key=value: a parameter of the workload model `trace` (which jobs are kept "
            "and as what, resampling) or of the model named, as in campaigns"
        )
        ->allow_extra_args(false);
    CLI::Option* write = command->add_option(
        "--write",
        options->output,
        "Write the jobs in place of the summary: as SWF, or as a table with sacct's columns where "
        "the name ends in .csv or .sacct; compressed if .gz follows. Says what is lost"
    );
    command
        ->add_flag_callback(
            "--anonymous",
            [options] { options->names = Names::anonymous; },
            "Write numbers for users, accounts, queues and nodes, and dates moved by whole weeks"
        )
        ->needs(write);
    add_json(*command, options->format)->excludes(write);
    command->callback([&selected, options] {
        if (options->request.trace.empty() && options->request.model.empty()) {
            throw CLI::RequiredError("log or --model");
        }
        selected = [options] {
            return trace_command(*options);
        };
    });
}

}  // namespace schedfarm::app
