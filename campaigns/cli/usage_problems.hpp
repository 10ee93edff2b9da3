// What is wrong with a command line, in a sentence with a suggestion: CLI11 would only say what it
// missed or did not expect.
#pragma once

#include <optional>
#include <string>

#include <CLI/CLI.hpp>

namespace schedfarm::campaigns {

/// A first word that names no command of the program.
std::optional<std::string> unknown_command(const CLI::App& program, int argc, char** argv);

/// What CLI11 has thrown, for the command in argv[1] if there is one.
std::string usage_problem(
    const CLI::App& program, const CLI::ParseError& error, int argc, char** argv
);

}  // namespace schedfarm::campaigns
