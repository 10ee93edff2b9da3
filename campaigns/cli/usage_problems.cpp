#include "campaigns/cli/usage_problems.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "campaigns/config/suggestion.hpp"

namespace schedfarm::campaigns {

namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

std::string sentence(std::string text) {
    while (!text.empty() && (text.back() == '\n' || text.back() == '.')) {
        text.pop_back();
    }
    return !text.empty() && text.back() == '?' ? text : text + ".";
}

/// The text of a problem; CLI11 tells the largest number that there is with all of its 309 digits.
std::string text_of(const CLI::ParseError& error) {
    const std::string text = error.what();
    const std::size_t range = text.find(" not in range 0.000000 to 179769");
    return sentence(
        range == std::string::npos ? text
                                   : text.substr(0, range) + " is too small, it must be above 0"
    );
}

/// "--ranks=3" → "--ranks"
std::string option_of(const std::string& word) {
    return word.substr(0, word.find('='));
}

/// Those of its groups too, which CLI11 keeps as commands without a name.
void collect_long_options(const CLI::App& command, std::vector<std::string>& names) {
    for (const CLI::Option* option : command.get_options()) {
        for (const std::string& name : option->get_lnames()) {
            if (!contains(names, "--" + name)) {
                names.push_back("--" + name);
            }
        }
    }
    for (const CLI::App* group : command.get_subcommands({})) {
        if (group->get_name().empty()) {
            collect_long_options(*group, names);
        }
    }
}

std::optional<std::string> unknown_option(const CLI::App& command, int argc, char** argv) {
    std::vector<std::string> known;
    collect_long_options(command, known);
    for (int i = 2; i < argc; ++i) {
        const std::string name = option_of(argv[i]);
        if (name.rfind("--", 0) == 0 && name.size() > 2 && !contains(known, name)) {
            return fmt::format("no option '{}'. {}", name, sentence(name_suggestion(name, known)));
        }
    }
    return std::nullopt;
}

const CLI::App* command_of(const CLI::App& program, int argc, char** argv) {
    for (const CLI::App* command : program.get_subcommands({})) {
        if (argc > 1 && command->get_name() == argv[1]) {
            return command;
        }
    }
    return nullptr;
}

}  // namespace

std::optional<std::string> unknown_command(const CLI::App& program, int argc, char** argv) {
    if (argc < 2 || argv[1][0] == '-') {
        return std::nullopt;
    }
    std::vector<std::string> names;
    for (const CLI::App* command : program.get_subcommands({})) {
        names.push_back(command->get_name());
    }
    const std::string word = argv[1];
    if (contains(names, word)) {
        return std::nullopt;
    }
    return fmt::format("no command '{}'. {}", word, name_suggestion(word, names));
}

std::string usage_problem(
    const CLI::App& program, const CLI::ParseError& error, int argc, char** argv
) {
    const CLI::App* command = command_of(program, argc, argv);
    if (command == nullptr) {
        return text_of(error) + " Try `schedfarm --help`.";
    }
    const std::string help = fmt::format("Try `schedfarm {} --help`.", command->get_name());
    if (const auto problem = unknown_option(*command, argc, argv)) {
        return fmt::format("{}: {} {}", command->get_name(), *problem, help);
    }
    return fmt::format("{}: {} {}", command->get_name(), text_of(error), help);
}

}  // namespace schedfarm::campaigns
