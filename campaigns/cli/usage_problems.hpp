// What is wrong with a command line, in a sentence with a suggestion: CLI11 would only say what it
// missed or did not expect, and takes some values for others.
#pragma once

#include <optional>
#include <string>

#include <CLI/CLI.hpp>

namespace schedfarm::campaigns {

/// A first word that names no command of the program.
std::optional<std::string> unknown_command(const CLI::App& program, int argc, char** argv);

/// Flags that are given a value are refused from now on (--verify=no would be taken for --verify).
/// REQUIRES: every command is declared.
void refuse_values_of_flags(CLI::App& program);

/// A value that was read, but not as what it says, of the command in argv[1].
std::optional<std::string> misread_value(const CLI::App& program, int argc, char** argv);

/// What CLI11 has thrown, for the command in argv[1] if there is one.
std::string usage_problem(
    const CLI::App& program, const CLI::ParseError& error, int argc, char** argv
);

}  // namespace schedfarm::campaigns
