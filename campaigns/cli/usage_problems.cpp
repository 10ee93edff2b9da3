#include "campaigns/cli/usage_problems.hpp"

#include <algorithm>
#include <charconv>
#include <regex>
#include <system_error>
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

bool is_number(const std::string& text) {
    double value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    return !text.empty() && read.ec == std::errc() && read.ptr == text.data() + text.size();
}

/// The text of a problem. What CLI11 says of values misleads: it takes words for numbers out of
/// range, and tells the largest number that there is with all of its 309 digits.
std::string text_of(const CLI::ParseError& error) {
    static const std::regex out_of_range("(\\S+): Value (.*) not in range (\\S+) to (\\S+)\\s*");
    static const std::regex unreadable("Could not convert: (\\S+) = (.*?)\\s*");
    static const std::regex choice("Exactly 1 option from \\[(.*)\\] is required(.*?)\\s*");
    const std::string text = error.what();
    std::smatch found;
    if (std::regex_match(text, found, out_of_range)) {
        if (!is_number(found.str(2))) {
            return fmt::format("{}: '{}' is no number.", found.str(1), found.str(2));
        }
        if (found.str(4).starts_with("179769")) {
            return fmt::format(
                "{}: Value {} is too small, it must be above 0.", found.str(1), found.str(2)
            );
        }
    }
    if (std::regex_match(text, found, unreadable)) {
        return fmt::format(
            "{}: '{}' is no {}.",
            found.str(1),
            found.str(2),
            is_number(found.str(2)) ? "whole number from 0" : "number"
        );
    }
    if (std::regex_match(text, found, choice)) {
        const std::string names = std::regex_replace(found.str(1), std::regex(","), ", ");
        return fmt::format("exactly one of {} is required{}.", names, found.str(2));
    }
    return sentence(text);
}

/// "--ranks=3" → "--ranks"
std::string option_of(const std::string& word) {
    return word.substr(0, word.find('='));
}

struct LongOptions {
    std::vector<std::string> known;
    std::vector<std::string> shown;  ///< those that --help shows
};

/// Those of its groups too, which CLI11 keeps as commands without a name.
void collect_long_options(const CLI::App& command, LongOptions& names) {
    for (const CLI::Option* option : command.get_options()) {
        for (const std::string& name : option->get_lnames()) {
            if (contains(names.known, "--" + name)) {
                continue;
            }
            names.known.push_back("--" + name);
            if (!option->get_group().empty()) {
                names.shown.push_back("--" + name);
            }
        }
    }
    for (const CLI::App* group : command.get_subcommands({})) {
        if (group->get_name().empty()) {
            collect_long_options(*group, names);
        }
    }
}

/// Among the words from `first` on.
std::optional<std::string> unknown_option(
    const CLI::App& command, int first, int argc, char** argv
) {
    LongOptions options;
    collect_long_options(command, options);
    for (int i = first; i < argc; ++i) {
        const std::string name = option_of(argv[i]);
        if (name.rfind("--", 0) == 0 && name.size() > 2 && !contains(options.known, name)) {
            return fmt::format(
                "no option '{}'. {}", name, sentence(name_suggestion(name, options.shown))
            );
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
        return unknown_option(program, 1, argc, argv).value_or(text_of(error))
               + " Try `schedfarm --help`.";
    }
    const std::string help = fmt::format("Try `schedfarm {} --help`.", command->get_name());
    if (const auto problem = unknown_option(*command, 2, argc, argv)) {
        return fmt::format("{}: {} {}", command->get_name(), *problem, help);
    }
    return fmt::format("{}: {} {}", command->get_name(), text_of(error), help);
}

}  // namespace schedfarm::campaigns
