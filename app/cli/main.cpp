// The program with all commands. Users start schedfarm (lean_main.cpp), which does simulations of
// logs itself and gives everything else to this one.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/cli/commands/commands.hpp"
#include "app/cli/commands/gantt_command.hpp"
#include "app/cli/commands/list_command.hpp"
#include "app/cli/commands/options/completion_options.hpp"
#include "app/cli/commands/options/results_guard.hpp"
#include "app/cli/commands/options/run_options.hpp"
#include "app/cli/commands/package.hpp"
#include "app/cli/commands/plot_command.hpp"
#include "app/cli/commands/simulate_command.hpp"
#include "app/cli/commands/submit_command.hpp"
#include "app/cli/commands/trace_command.hpp"
#include "app/cli/number_options.hpp"
#include "app/cli/program.hpp"

namespace schedfarm::app {

namespace {

void add_run(CommandLine& line, const char* name, ExistingJournal existing) {
    auto options = std::make_shared<RunCommand>();
    options->existing_journal = existing;
    CLI::App* command = add_run_command(line.app, name, options);
    select(*command, line.selected, [&line, options] {
        return run_command(*options, line.arguments);
    });
}

void add_build_policy(CommandLine& line) {
    auto options = std::make_shared<BuildPolicyCommand>();
    CLI::App* command = add_command(line.app, "build-policy");
    command
        ->add_option("source", options->source, "Policy in C++: mine.cpp defines describe_mine()")
        ->required();
    command->add_option(
        "-o,--output", options->output, "Library. Default: the source's name in this folder, as .so"
    );
    select(*command, line.selected, [options] { return build_policy_command(*options); });
}

void add_plan(CommandLine& line) {
    auto options = std::make_shared<PlanCommand>();
    CLI::App* command = add_command(line.app, "plan");
    command->add_option("campaign", options->campaign, "Campaign file (YAML)")->required();
    add_format(*command, options->format, {"text", "json"});
    select(*command, line.selected, [options] { return plan_command(*options); });
}

void add_replay(CommandLine& line) {
    auto options = std::make_shared<ReplayCommand>();
    CLI::App* command = add_command(line.app, "replay");
    command->add_option("campaign", options->campaign, "Campaign file (YAML)")->required();
    command->add_option("-c,--cell", options->cell, "Cell number, as `schedfarm plan` shows it")
        ->required()
        ->transform(whole_number());
    command->add_option("-r,--replication", options->replication, "Replication number from 0")
        ->required()
        ->transform(whole_number());
    command
        ->add_option(
            "--utilization",
            options->utilization,
            "Load of the replication, for cells whose load is placed or searched for; the result "
            "file's tables `cells` and `search_steps` tell it"
        )
        ->transform(positive_number());
    command->add_option(
        "-o,--output",
        options->output,
        "Result file of the run that the replication belongs to: it is refused over other logs "
        "than the run was begun with. Default: the campaign's name in this folder, if it is there"
    );
    command->add_flag_callback(
        "--verify",
        [options] { options->kernel = SimulatorChoice::verified; },
        "Check every scheduling action"
    );
    command->add_flag_callback(
        "--general",
        [options] { options->kernel = SimulatorChoice::general; },
        "Use the general kernel"
    );
    command->add_flag_callback(
        "--allow-code",
        [options] { options->code = CodeOf::anybody; },
        "Start the code of a policy also where it belongs to another user, or others can change it"
    );
    select(*command, line.selected, [options] { return replay_command(*options); });
}

/// The package answers, which has the defaults, after a look at the names of its files.
void leave_to_package(
    CommandLine& line, CLI::App* command, const std::vector<std::string>& formats
) {
    CLI::Option* format = command->add_option("-f,--format", "Output format")
                              ->type_name("TEXT")
                              ->check(CLI::IsMember(formats))
                              ->default_str("text");
    const char* const as_json = "As JSON, with every digit";
    command->add_flag("--json", as_json)->excludes(format);
    select(*command, line.selected, [command] {
        const Words words = package_words(*command);
        for (auto file = std::ranges::find(words, "--") + 1; file != words.end(); ++file) {
            expect_results(*file);
        }
        return run_package(words);
    });
}

void add_report(CommandLine& line) {
    auto options = std::make_shared<ReportCommand>();
    CLI::App* command = add_command(line.app, "report");
    command->add_option("results", options->results, "Result file (HDF5)")->required();
    add_format(
        *command, options->format, {"text", "markdown", "csv", "json", "latex", "html", "warnings"}
    );
    command->add_option(
        "-o,--output", options->output, "The page, one self-contained file FILE.html"
    );
    command->add_option(
        "--table",
        options->table,
        "Only this table of the file, such as comparisons or replications; csv: with every digit "
        "and "
        "the factors of its cells"
    );
    command
        ->add_option(
            "--unit",
            "Unit of times that are seconds: s, min, h or d; CSV has seconds. Default: as they "
            "read best"
        )
        ->type_name("TEXT")
        ->check(CLI::IsMember({"s", "min", "h", "d"}));
    command->add_flag(
        "--plain", options->is_plain, "Only one table of estimates, which needs no Python"
    );
    select(*command, line.selected, [command, options] {
        return report_command(*options, package_words(*command));
    });
}

void add_diff(CommandLine& line) {
    CLI::App* command = add_command(line.app, "diff");
    command->add_option("A", "Result file (HDF5)")->type_name("TEXT")->required();
    command->add_option("B", "Result file to compare it with")->type_name("TEXT")->required();
    command
        ->add_option(
            "-m,--mode",
            "bitwise: payloads, value by value; overlap: confidence intervals; paired: "
            "replications of equal index"
        )
        ->type_name("TEXT")
        ->check(CLI::IsMember({"bitwise", "overlap", "paired"}))
        ->default_str("bitwise");
    command->add_option("--metric", "overlap and paired: this metric alone, such as response_time")
        ->type_name("TEXT");
    leave_to_package(line, command, {"text", "json"});
    command->footer("Exit codes: 0 no difference found, 1 some difference, 2 wrong files.");
}

void add_check(CommandLine& line) {
    CLI::App* check = add_command(line.app, "check");
    check->add_option("results", "Result file (HDF5)")->type_name("TEXT")->required();
    leave_to_package(line, check, {"text", "json"});
}

void add_status(CommandLine& line) {
    auto watched = std::make_shared<StatusCommand>();
    CLI::App* status = add_command(line.app, "status");
    status
        ->add_option(
            "path", watched->path, "Result file, the journal beside it, or a campaign file"
        )
        ->required();
    add_format(*status, watched->format, {"text", "json", "count"});
    select(*status, line.selected, [watched] { return status_command(*watched); });
}

void add_merge(CommandLine& line) {
    auto joined = std::make_shared<MergeCommand>();
    CLI::App* join = add_command(line.app, "merge");
    join->add_option("output", joined->output, "Result file to write (HDF5)")->required();
    join->add_option("parts", joined->parts, "Result files of the parts, or their journals")
        ->required();
    select(*join, line.selected, [joined] { return merge_command(*joined); });
}

void add_rebuild(CommandLine& line) {
    auto rebuild = std::make_shared<RebuildCommand>();
    CLI::App* again = add_command(line.app, "rebuild");
    again->add_option("journal", rebuild->journal, "Journal (<results>.journal)")->required();
    again->add_option("-o,--output", rebuild->output, "Result file. Default: the journal's own");
    select(*again, line.selected, [rebuild] { return rebuild_command(*rebuild); });
}

void add_init(CommandLine& line) {
    auto target = std::make_shared<std::filesystem::path>("campaign.yaml");
    CLI::App* init = add_command(line.app, "init");
    init->add_option("file", *target, "File to write")->capture_default_str();
    select(*init, line.selected, [target] { return init_command(*target); });
}

void add_certify(CommandLine& line) {
    CLI::App* command = add_command(line.app, "certify");
    command
        ->add_option_function<Words>(
            "results", [](const Words&) {}, "Result files (HDF5)"
        )
        ->required();
    leave_to_package(line, command, {"text", "markdown", "csv", "json"});
    command->footer("Exit codes: 0 every row is as it should be, 1 some are not, 2 wrong files.");
}

int program(int argc, char** argv) {
    CommandLine line(argc, argv);
    add_run(line, "run", ExistingJournal::refuse);
    add_run(line, "resume", ExistingJournal::resume);
    add_plan(line);
    add_simulate(line.app, line.selected);
    add_trace(line.app, line.selected);
    add_report(line);
    add_diff(line);
    add_plot(line.app, line.selected);
    add_gantt(line.app, line.selected);
    add_replay(line);
    add_check(line);
    add_status(line);
    add_merge(line);
    add_rebuild(line);
    add_init(line);
    add_submit(line.app, line.selected);
    add_certify(line);
    add_whatif(line.app, line.selected);
    add_build_policy(line);
    add_list(line.app, line.selected);
    add_schema(line.app, line.selected);
    add_completion(line.app, line.selected);
    return run_program(line);
}

}  // namespace

}  // namespace schedfarm::app

int main(int argc, char** argv) {
    return schedfarm::app::program(argc, argv);
}
