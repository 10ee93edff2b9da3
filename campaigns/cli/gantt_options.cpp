#include <memory>

#include <CLI/CLI.hpp>

#include "campaigns/cli/gantt_command.hpp"

namespace schedfarm::campaigns {

void add_gantt(CLI::App& app, std::function<ExitCode()>& selected) {
    auto options = std::make_shared<GanttCommand>();
    CLI::App* command =
        app.add_subcommand("gantt", "Draw which rank was busy when, and where its time went");
    command->add_option("results", options->results, "Result file (HDF5)")->required();
    command->add_flag_callback(
        "--ranks",
        [options] { options->subject = GanttSubject::ranks; },
        "The ranks of a run, the default"
    );
    command
        ->add_option(
            "--run",
            options->run,
            "Which of the runs that computed the campaign, from 1. Default: the last"
        )
        ->check(CLI::PositiveNumber);
    command->add_option("-f,--format", options->format, "Output format")
        ->check(CLI::IsMember({"text", "csv", "svg"}))
        ->capture_default_str();
    command->add_option("-o,--output", options->output, "File to write. Default: standard output");
    command->callback([&selected, options] {
        selected = [options] {
            return gantt_command(*options);
        };
    });
}

}  // namespace schedfarm::campaigns
