#include "app/cli/program.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include "engine/foundation/expect.hpp"

#include "app/campaign/yaml/suggestion.hpp"
#include "app/cli/explain.hpp"
#include "app/cli/messages.hpp"
#include "app/report/wrapped_text.hpp"
#include "app/run/version.hpp"

namespace schedfarm::app {

namespace {

struct CommandSummary {
    const char* name;
    const char* summary;
    const char* example = "";  ///< below the help; empty: none
};

// In the order of --help.
constexpr auto command_summaries = std::to_array<CommandSummary>({
    {"run", "Run a campaign and write its results", "schedfarm run first.yaml --workers 2"},
    {"resume", "Go on with an interrupted campaign"},
    {"plan", "Show a campaign's cells and effective configuration; runs nothing"},
    {"simulate",
     "Simulate one log or model under one policy; no campaign",
     "schedfarm simulate --trace example --policy easy"},
    {"trace",
     "Say what is in a log; write one, normalised or generated",
     "schedfarm trace example --write example.sacct.gz"},
    {"report",
     "Print a result file's tables beside the paper's values",
     "schedfarm report first.h5 --format markdown"},
    {"diff", "Say in what two result files differ"},
    {"plot", "Draw a figure of a result file: .pdf, .svg, .png, .pgf"},
    {"gantt", "Draw the jobs of a schedule, or which rank was busy when"},
    {"replay", "Run one replication of a campaign alone"},
    {"check", "Hold a result file against the schema"},
    {"status", "Say how far a run has come, also while it goes on"},
    {"merge", "Join runs of parts of one campaign"},
    {"rebuild", "Write the result file of a journal anew"},
    {"init", "Write a commented campaign file to start from"},
    {"submit", "Submit a campaign to Slurm, with times from a pilot"},
    {"certify", "Hold intervals and decisions of campaigns of many seeds against known truths"},
    {"whatif",
     "Say what another configuration would do to the waits of a log",
     "schedfarm whatif site.sacct.gz --slurm-conf site.conf --vary bf_window=60"},
    {"build-policy", "Make a library of a policy of your own in C++"},
    {"list", "Name all policies, models, distributions, probes and experiments, or explain one"},
    {"schema", "Print the JSON Schema of the campaign file, by which editors complete and check"},
});

constexpr std::size_t help_column = 26;  // where --help explains what stands on the left

/// Options and commands that may be written; CLI11 keeps groups of options as commands without a
/// name.
std::vector<std::string> known_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options()) {
        if (!option->get_group().empty() && !option->get_positional()) {
            names.push_back(option->get_name());
        }
    }
    for (const CLI::App* sub : app.get_subcommands({})) {
        if (!sub->get_name().empty() && sub->get_group().empty()) {
            continue;  // --help does not show it
        }
        const auto more =
            sub->get_name().empty() ? known_names(*sub) : std::vector{sub->get_name()};
        names.insert(names.end(), more.begin(), more.end());
    }
    return names;
}

/// What CLI11 takes silently, but nobody means: an empty value, as of a variable of the shell that
/// is not set, the next option as a value, and a value of a flag (--verify=no). REQUIRES: every
/// command is declared.
void refuse_slips(CLI::App& app, const CLI::App& command) {
    for (CLI::Option* option : app.get_options()) {
        if (option->get_expected_max() == 0) {
            option->disable_flag_override();
            continue;
        }
        option->check([option, &command](const std::string& value) -> std::string {
            if (value.empty()) {
                return "it is empty. Check that the shell's variable is set.";
            }
            const bool is_option = !option->get_positional() && value.front() == '-'
                                   && command.get_option_no_throw(value) != nullptr;
            return is_option ? "it has no value ('" + value + "' is the next option)" : "";
        });
    }
}

/// In lines as they stand in --help, also in groups, which are indented by two.
std::string broken(const std::string& description) {
    const auto lines = wrapped(description, terminal_width - help_column - 2);
    return fmt::format("{}", fmt::join(lines, "\n"));
}

/// CLI11 neither breaks descriptions into lines nor leaves --help out of groups of options.
void prepare(CLI::App& app, const CLI::App& command) {
    refuse_slips(app, command);
    for (CLI::Option* option : app.get_options()) {
        option->description(broken(option->get_description()));
    }
    for (CLI::App* sub : app.get_subcommands({})) {
        const bool is_group = sub->get_name().empty();
        if (is_group) {
            sub->set_help_flag();
        } else {
            sub->description(broken(sub->get_description()));
        }
        prepare(*sub, is_group ? command : *sub);
    }
}

/// What is wrong with the command line, with the nearest name that is known.
std::string usage_problem(const CLI::App& program, const CLI::ParseError& error) {
    const auto chosen = program.get_subcommands();
    const CLI::App& command = chosen.empty() ? program : *chosen.front();
    const std::vector<std::string> unknown = command.remaining();
    std::string problem = error.what();
    const bool is_unknown = !unknown.empty() && unknown.front() != "--";
    if (is_unknown && (chosen.empty() || unknown.front().starts_with('-'))) {
        const std::string name = unknown.front().substr(0, unknown.front().find('='));
        problem = fmt::format(
            "no {} '{}'. {}",
            name.starts_with('-') ? "option" : "command",
            name,
            name_suggestion(name, known_names(command))
        );
    } else if (chosen.empty() && dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
        problem = "no command is given. Known: " + joined(known_names(program));
    }
    problem.erase(problem.find_last_not_of(" \n.") + 1);
    problem.erase(0, problem.find_first_not_of(": "));  // of an option that --help does not show
    const std::string& name = command.get_name();
    const std::string end = problem.ends_with('?') ? "" : ".";
    return chosen.empty()
               ? fmt::format("{}{} Try `schedfarm --help`.", problem, end)
               : fmt::format("{}: {}{} Try `schedfarm {} --help`.", name, problem, end, name);
}

/// Where standard input or output is closed, the next file that is opened would take its number:
/// what stands there instead neither gives nor takes anything, as before.
void hold_standard_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(stream, F_GETFD) < 0) {
            ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        }
    }
}

/// Runs a command; output that could not be written is an error like any other.
ExitCode run_selected(const Selected& selected) {
    try {
        const ExitCode code = selected();
        if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
            spdlog::critical("standard output cannot be written ({})", std::strerror(errno));
            return ExitCode::internal;
        }
        return code;
    } catch (...) {
        return explain_current_exception();
    }
}

}  // namespace

CommandLine::CommandLine(int argc, char** argv)
    : parser(std::make_unique<CLI::App>("schedfarm: an experiment farm for parallel job scheduling")
    )
    , app(*parser)
    , arguments(argv + std::min(argc, 1), argv + argc) {
    hold_standard_streams();
    std::signal(SIGXFSZ, SIG_IGN);  // a limit on the size of files is an error of the write
    std::signal(SIGCHLD, SIG_DFL);  // where it is ignored, nobody learns that a child has ended
    spdlog::set_default_logger(spdlog::stderr_color_st("schedfarm"));
    format_messages();
    app.set_version_flag("--version", std::string("schedfarm ") + program_version);
    app.require_subcommand(1);
    app.name("schedfarm");
    app.get_formatter()->column_width(help_column);
}

CommandLine::~CommandLine() = default;

CLI::App* add_command(CLI::App& app, std::string_view name) {
    const auto* const found = std::find_if(
        command_summaries.begin(),
        command_summaries.end(),
        [name](const auto& command) { return command.name == name; }
    );
    SCHEDFARM_EXPECT(found != command_summaries.end(), "a command has a summary");
    CLI::App* command = app.add_subcommand(found->name, found->summary);
    if (*found->example != '\0') {
        command->footer(fmt::format("For example:\n    {}", found->example));
    }
    return command;
}

void add_format(CLI::App& command, std::string& format, const std::vector<std::string>& words) {
    CLI::Option* option =
        command.add_option("-f,--format", format, "Output format")->check(CLI::IsMember(words));
    if (!format.empty()) {
        option->capture_default_str();
    }
    add_json(command, format)->excludes(option);
}

CLI::Option* add_json(CLI::App& command, std::string& format) {
    return command.add_flag_callback(
        "--json", [&format] { format = "json"; }, "As JSON, with every digit"
    );
}

void add_names_of_commands(CLI::App& app) {
    for (const CommandSummary& command : command_summaries) {
        app.add_subcommand(command.name, command.summary);
    }
}

void select(CLI::App& command, Selected& selected, Selected run) {
    command.callback([&selected, run = std::move(run)] { selected = run; });
}

int run_program(CommandLine& line) {
    prepare(line.app, line.app);
    line.app.footer(  // here, as commands inherit what there is when they are declared
        "Exit codes: 0 done, 1 finished, but something failed, differs or is missing,\n"
        "2 usage or campaign error, 3 stopped with everything saved, 4 input/output or\n"
        "internal error.\n\n"
        "Start with:\n    schedfarm init first.yaml\n    schedfarm run first.yaml"
    );
    try {
        // CLI11 takes them from the end.
        line.app.parse(std::vector(line.arguments.rbegin(), line.arguments.rend()));
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) {
            return static_cast<int>(run_selected([&line, &error] {
                line.app.exit(error);  // help or version
                return ExitCode::done;
            }));
        }
        spdlog::error("{}", usage_problem(line.app, error));
        return static_cast<int>(ExitCode::usage);
    }
    return static_cast<int>(run_selected(line.selected));
}

}  // namespace schedfarm::app
