// What the programs share: how a command line is read, and how errors become messages and exit
// codes.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/exit_code.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): the name that CLI11 has
class App;
class Option;
}  // namespace CLI

namespace schedfarm::app {

/// What to run when a command was named.
using Selected = std::function<ExitCode()>;

struct CommandLine {
    CommandLine(int argc, char** argv);
    CommandLine(const CommandLine&) = delete;
    CommandLine& operator=(const CommandLine&) = delete;
    ~CommandLine();

    std::unique_ptr<CLI::App> parser;
    CLI::App& app;
    Selected selected;
    std::vector<std::string> arguments;  ///< behind the program's name
};

/// Declares a command with its summary. REQUIRES: `name` is one of the commands.
CLI::App* add_command(CLI::App& app, std::string_view name);

/// Declares --format, one of these words, whose value stands in `format` before, and --json, its
/// short form, which stands alone where --format is that of a log.
void add_format(CLI::App& command, std::string& format, const std::vector<std::string>& words);
CLI::Option* add_json(CLI::App& command, std::string& format);

/// Declares every command without its options: enough for --help.
void add_names_of_commands(CLI::App& app);

/// `run` is what `selected` becomes when the command is named. Both outlive the parsing.
void select(CLI::App& command, Selected& selected, Selected run);

/// Reads the words of the command line, runs the command selected and gives the program's exit
/// code. REQUIRES: every command is declared.
int run_program(CommandLine& line);

}  // namespace schedfarm::app
