#include <map>
#include <memory>

#include <CLI/CLI.hpp>

#include "app/cli/commands/gantt_command.hpp"
#include "app/cli/commands/options/reading_options.hpp"
#include "app/cli/number_options.hpp"
#include "app/cli/program.hpp"

namespace schedfarm::app {

namespace {

/// The package has the defaults.
CLI::Option* add(
    CLI::App& command, const char* names, const char* const meaning, const char* type
) {
    return command.add_option(names, meaning)->type_name(type);
}

CLI::Option* add_flag(CLI::App& command, const char* names, const char* const meaning) {
    return command.add_flag(names, meaning);
}

void add_view_options(CLI::App& command) {
    const CLI::Validator seconds = time_in_seconds();
    add(command,
        "--from",
        "Begin of the drawing, as 90, 1.5h or 2d. Default: the first submit",
        "FLOAT")
        ->transform(seconds);
    add(command, "--to", "End of the drawing. Default: the last finish", "FLOAT")
        ->transform(seconds);
    add(command, "--colour", "Figures: what colours tell", "TEXT")
        ->check(CLI::IsMember({"job", "user", "size", "wait"}))
        ->default_str("job");
    add(command,
        "--clusters",
        "Figures of tables: processors of each cluster, 8,8,8, a panel for each; of results these "
        "are known",
        "UINT")
        ->take_all()
        ->delimiter(',')
        ->check(CLI::Range(1U, 1U << 24U));
    add_flag(
        command,
        "--trees",
        "Figures: lines between the trees of gang scheduling, one for each set bit of the "
        "processors"
    );
    add(command,
        "--style",
        "Figures: a journal's page (174 mm, the default) or column (84 mm), slides, or a FILE of "
        "matplotlib's settings",
        "TEXT")
        ->check(word_or_file({"column", "page", "slides"}));
}

/// What a result file has: ranks of a run, jobs of replications.
void add_result_options(CLI::App& command, const std::shared_ptr<GanttCommand>& options) {
    CLI::Option* cell = command
                            .add_option(
                                "-c,--cell",
                                options->cell,
                                "Result files: draw the jobs of this cell, where it has a log"
                            )
                            ->transform(whole_number());
    command.add_option("-r,--replication", options->replication, "Whose jobs, with --cell")
        ->needs(cell)
        ->transform(whole_number())
        ->capture_default_str();
    add_flag(command, "--ranks", "The ranks of a run, the default for a result file")
        ->excludes(cell);
    add(command,
        "--run",
        "Ranks: which of the runs that computed the campaign, from 1. Default: the last",
        "UINT")
        ->transform(whole_number(1))
        ->excludes(cell);
}

}  // namespace

void add_gantt(CLI::App& app, std::function<ExitCode()>& selected) {
    auto options = std::make_shared<GanttCommand>();
    CLI::App* command = add_command(app, "gantt");
    CLI::Option* file = command->add_option(
        "file",
        options->input,
        "A table of jobs (simulate --jobs; - reads it), a log in the Standard Workload Format, "
        "or a result file (HDF5): its ranks, or with --cell its jobs"
    );
    file->required();
    add_result_options(*command, options);
    add(*command,
        "-p,--processors",
        "Jobs: processors of the machine. Default: what a log says, else what is used",
        "UINT")
        ->transform(whole_number(1));
    const std::map<std::string, std::string> units{{"seconds", "s"}, {"workload", "time units"}};
    add(*command,
        "--unit",
        "Unit of times in a table of jobs: seconds, or workload for a model's own time "
        "units. Default: seconds",
        "TEXT")
        ->transform(CLI::CheckedTransformer(units).description("{seconds,workload}"));
    add_view_options(*command);
    add(*command,
        "-f,--format",
        "What is no figure; nodes, with --cell: what every node did and what was in its memory, as "
        "a table or a figure. Default: by the suffix of the output, else text",
        "TEXT")
        ->check(CLI::IsMember({"text", "csv", "nodes"}));
    command->add_option(
        "-o,--output",
        options->output,
        "File to write; .pdf, .svg, .png and .pgf are figures. Default: standard output"
    );
    const std::map<std::string, RawTable> tables{
        {"jobs", RawTable::jobs},
        {"segments", RawTable::segments},
        {"nodes", RawTable::nodes},
        {"names", RawTable::names}};
    command->add_option("--raw", options->raw)
        ->transform(CLI::CheckedTransformer(tables))
        ->group("");
    add_reading_options(*command, file, options->log);
    select(*command, selected, [command, options] {
        return gantt_command(*options, package_words(*command));
    });
}

}  // namespace schedfarm::app
