#include "campaigns/cli/program.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include "campaigns/cli/argument_words.hpp"
#include "campaigns/cli/explain.hpp"
#include "campaigns/cli/help_formatter.hpp"
#include "campaigns/cli/terminal.hpp"
#include "campaigns/cli/usage_problems.hpp"
#include "campaigns/run/version.hpp"

namespace schedfarm::campaigns {

namespace {

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

CommandLine::CommandLine(int& argc_of_program, char**& argv_of_program)
    : app("schedfarm: an experiment farm for parallel job scheduling")
    , argc(argc_of_program)
    , argv(argv_of_program) {
    spdlog::set_default_logger(spdlog::stderr_color_st("schedfarm"));
    break_messages([] { return columns_of(STDERR_FILENO); });
    app.set_version_flag("--version", std::string("schedfarm ") + program_version);
    app.require_subcommand(1);
    app.name("schedfarm");
    app.formatter(help_formatter(text_width()));
    app.footer(
        "Exit codes: 0 done, 1 finished, but something failed, differs or is missing, 2 usage or "
        "campaign error, 3 stopped with everything saved, 4 input/output or internal error.\n"
        "Start with:\n    schedfarm init first.yaml\n    schedfarm run first.yaml"
    );
}

int run_program(CommandLine& line) {
    if (const auto problem = unknown_command(line.app, line.argc, line.argv)) {
        spdlog::error("{}", *problem);
        return static_cast<int>(ExitCode::usage);
    }
    refuse_values_of_flags(line.app);
    admit_words(line.app);
    try {
        std::vector<std::string> words = marked_words(line.argc, line.argv);
        std::reverse(words.begin(), words.end());  // as CLI11 wants them
        line.app.parse(std::move(words));
        if (const auto problem = misread_value(line.app, line.argc, line.argv)) {
            spdlog::error("{}", *problem);
            return static_cast<int>(ExitCode::usage);
        }
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) {
            return static_cast<int>(run_selected([&line, &error] {
                line.app.exit(error);  // help or version
                return ExitCode::done;
            }));
        }
        spdlog::error("{}", usage_problem(line.app, error, line.argc, line.argv));
        return static_cast<int>(ExitCode::usage);
    }
    return static_cast<int>(run_selected(line.selected));
}

}  // namespace schedfarm::campaigns
