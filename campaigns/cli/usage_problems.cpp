#include "campaigns/cli/usage_problems.hpp"

#include <algorithm>
#include <filesystem>
#include <regex>
#include <sstream>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "engine/foundation/message_text.hpp"

#include "campaigns/cli/argument_words.hpp"
#include "campaigns/cli/option_kind.hpp"
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

/// The options of a command and of its groups, which CLI11 keeps as commands without a name.
std::vector<const CLI::Option*> options_of(const CLI::App& command) {
    std::vector<const CLI::Option*> options = command.get_options();
    for (const CLI::App* group : command.get_subcommands({})) {
        if (group->get_name().empty()) {
            const auto more = options_of(*group);
            options.insert(options.end(), more.begin(), more.end());
        }
    }
    return options;
}

/// "--from <time>", "file"
std::string usage_of(const CLI::Option& option) {
    const std::string word = option.get_positional() ? "" : value_word(kind_of(option));
    return option.get_name() + (word.empty() ? "" : " " + word);
}

/// The command with no more than it takes: "schedfarm replay campaign --cell <integer> …".
std::string usage_of(const CLI::App& command) {
    std::string text = "schedfarm " + command.get_name();
    for (const CLI::Option* option : command.get_options()) {
        if (option->get_positional()) {
            const std::string own = usage_of(*option);
            text += option->get_required() ? " " + own : " [" + own + "]";
        }
    }
    for (const CLI::Option* option : command.get_options()) {
        if (option->get_required() && !option->get_positional()) {
            text += " " + usage_of(*option);
        }
    }
    for (const CLI::App* group : command.get_subcommands({})) {
        if (group->get_name().empty() && group->get_require_option_min() > 0) {
            std::vector<std::string> words;
            for (const CLI::Option* option : options_of(*group)) {
                if (option != group->get_help_ptr()) {
                    words.push_back(usage_of(*option));
                }
            }
            text += fmt::format(" ({})", fmt::join(words, " | "));
        }
    }
    return text;
}

/// The options that a text of CLI11 names, in the order in which it names them.
std::vector<const CLI::Option*> options_in(const CLI::App& command, const std::string& text) {
    std::vector<const CLI::Option*> named;
    const auto options = options_of(command);
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        word.erase(word.find_last_not_of(":") + 1);
        for (const CLI::Option* option : options) {
            if (option->get_name() == word) {
                named.push_back(option);
                break;
            }
        }
    }
    return named;
}

std::string missing_value(const CLI::Option& option, const std::string& reason) {
    return fmt::format(
        "{}: it has no value{}. Write {}?", option.get_name(), reason, usage_of(option)
    );
}

/// An option whose value is the name of the next one, or a value that CLI11 misreads.
std::optional<std::string> misread_option(const CLI::App& command) {
    std::vector<std::string> names;
    const auto options = options_of(command);
    for (const CLI::Option* option : options) {
        if (!option->get_positional()) {
            names.push_back(option->get_name());
        }
        for (const std::string& name : option->get_snames()) {
            names.push_back("-" + name);
        }
    }
    for (const CLI::Option* option : options) {
        const OptionKind kind = kind_of(*option);
        for (const std::string& value : option->results()) {
            if (value.empty()) {
                return fmt::format(
                    "{}: it is empty. Is a variable of the shell not set?", option->get_name()
                );
            }
            if (!option->get_positional() && contains(names, value)) {
                return missing_value(*option, fmt::format(" ('{}' is the next option)", value));
            }
            if (!is_readable(kind, value)) {
                return fmt::format("{}: {}.", option->get_name(), value_problem(kind, value));
            }
        }
    }
    return std::nullopt;
}

std::string refused_value(const CLI::Option& option, const std::string& text) {
    const std::vector<std::string>& values = option.results();
    const auto told = std::find_if(values.begin(), values.end(), [&text](const auto& value) {
        return text.find(value) != std::string::npos;
    });
    if (values.empty() || kind_of(option).value == OptionValue::text) {
        return sentence(text);
    }
    const std::string& value = told == values.end() ? values.front() : *told;
    return fmt::format(
        "{}: {}", option.get_name(), sentence(value_problem(kind_of(option), value))
    );
}

std::string wrong_number_of_values(const CLI::Option& option) {
    if (option.results().size() < 2) {
        return missing_value(option, "");
    }
    return fmt::format(
        "{}: it is given {} (it takes one value). Leave {} out?",
        option.get_name(),
        option.results().size() == 2 ? "twice" : fmt::format("{} times", option.results().size()),
        option.results().size() == 2 ? "one" : "the others"
    );
}

std::string missing_option(const CLI::App& command, const std::string& text) {
    static const std::regex choice("Exactly 1 option from \\[(.*)\\] is required(.*?)\\s*");
    std::smatch found;
    if (std::regex_match(text, found, choice)) {
        const std::string names = std::regex_replace(found.str(1), std::regex(","), ", ");
        return fmt::format(
            "exactly one of {} is required{}. Write `{}`?", names, found.str(2), usage_of(command)
        );
    }
    const auto named = options_in(command, text);
    return named.empty()
               ? sentence(text)
               : fmt::format(
                   "{} is missing. Write `{}`?", named.front()->get_name(), usage_of(command)
               );
}

/// What to write for a file whose name begins as options do; empty for what looks like an option.
std::string file_suggestion(const std::string& word) {
    std::error_code error;
    const bool may_be_file =
        word.find('.') != std::string::npos || std::filesystem::exists(word, error);
    const engine::CommandWord path{std::filesystem::path(word)};
    return may_be_file ? fmt::format(" For the file write '{}'.", path.text) : "";
}

/// A short option that there is not, where an argument might stand.
std::optional<std::string> unknown_short_option(const CLI::App& command) {
    for (const std::string& word : command.remaining()) {
        if (word.size() > 1 && word.front() == '-' && word[1] != '-') {
            std::vector<std::string> names;
            for (const CLI::Option* option : options_of(command)) {
                for (const std::string& name : option->get_snames()) {
                    if (!contains(names, "-" + name)) {
                        names.push_back("-" + name);
                    }
                }
            }
            return fmt::format(
                "no option '{}'. Known: {}.{}", word, joined(names), file_suggestion(word)
            );
        }
    }
    return std::nullopt;
}

/// Words that no argument is for.
std::string surplus_words(const CLI::App& command) {
    const std::vector<std::string> words = command.remaining();
    return fmt::format(
        "'{}' {} too many. Write `{}`?",
        fmt::join(words, "', '"),
        words.size() == 1 ? "is one word" : "are words",
        usage_of(command)
    );
}

std::optional<std::string> value_of_flag(const std::string& text) {
    static const std::regex refused("(\\S+) was given a disallowed flag override\\s*");
    std::smatch found;
    if (!std::regex_match(text, found, refused)) {
        return std::nullopt;
    }
    return fmt::format("--{}: it takes no value. Write it alone?", found.str(1));
}

/// The text of a problem. What CLI11 says is of its own, and misleads: it takes words for numbers
/// out of range, and tells the largest number that there is with all of its 309 digits.
std::string text_of(const CLI::App& command, const CLI::ParseError& error) {
    const std::string text = error.what();
    if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
        return surplus_words(command);
    }
    if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
        return missing_option(command, text);
    }
    if (const auto problem = value_of_flag(text)) {
        return *problem;
    }
    const auto named = options_in(command, text);
    if (named.empty()) {
        return sentence(text);
    }
    const CLI::Option& option = *named.front();
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
        return wrong_number_of_values(option);
    }
    if (named.size() > 1 && dynamic_cast<const CLI::ExcludesError*>(&error) != nullptr) {
        return fmt::format(
            "{} and {} exclude each other. Leave one of them out?",
            option.get_name(),
            named[1]->get_name()
        );
    }
    if (named.size() > 1 && dynamic_cast<const CLI::RequiresError*>(&error) != nullptr) {
        return fmt::format(
            "{}: it needs {}. Add {}, or leave it out?",
            option.get_name(),
            named[1]->get_name(),
            usage_of(*named[1])
        );
    }
    return refused_value(option, text);
}

/// "--ranks=3" → "--ranks"
std::string option_of(const std::string& word) {
    return word.substr(0, word.find('='));
}

struct LongOptions {
    std::vector<std::string> known;
    std::vector<std::string> shown;  ///< those that --help shows
};

LongOptions long_options(const CLI::App& command) {
    LongOptions names;
    for (const CLI::Option* option : options_of(command)) {
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
    return names;
}

/// Among the words from `first` on, up to `--`.
std::optional<std::string> unknown_option(
    const CLI::App& command, int first, int argc, char** argv
) {
    const LongOptions options = long_options(command);
    for (int i = first; i < argc && argv[i] != std::string("--"); ++i) {
        const std::string name = option_of(argv[i]);
        if (name.rfind("--", 0) == 0 && name.size() > 2 && !contains(options.known, name)) {
            return fmt::format(
                "no option '{}'. {}{}",
                name,
                sentence(name_suggestion(name, options.shown)),
                file_suggestion(name)
            );
        }
    }
    return std::nullopt;
}

std::vector<std::string> names_of_commands(const CLI::App& program) {
    std::vector<std::string> names;
    for (const CLI::App* command : program.get_subcommands({})) {
        names.push_back(command->get_name());
    }
    return names;
}

const CLI::App* command_of(const CLI::App& program, int argc, char** argv) {
    for (const CLI::App* command : program.get_subcommands({})) {
        if (argc > 1 && command->get_name() == argv[1]) {
            return command;
        }
    }
    return nullptr;
}

std::string with_help(const CLI::App& command, const std::string& problem) {
    const std::string& name = command.get_name();
    return fmt::format("{}: {} Try `schedfarm {} --help`.", name, problem, name);
}

/// Where no command was named.
std::string problem_of_program(
    const CLI::App& program, const CLI::ParseError& error, int argc, char** argv
) {
    std::string problem =
        fmt::format("no command is given. Known: {}.", joined(names_of_commands(program)));
    if (const auto flag = value_of_flag(error.what())) {
        problem = *flag;
    } else if (const auto unknown = unknown_option(program, 1, argc, argv)) {
        problem = *unknown;
    } else if (argc > 1 && argv[1][0] == '-' && argv[1][1] != '-') {
        problem = fmt::format("no option '{}'. Known: -h, --help, --version.", argv[1]);
    }
    return problem + " Try `schedfarm --help`.";
}

}  // namespace

std::optional<std::string> unknown_command(const CLI::App& program, int argc, char** argv) {
    if (argc < 2 || argv[1][0] == '-') {
        return std::nullopt;
    }
    std::vector<std::string> names = names_of_commands(program);
    const std::string word = argv[1];
    if (contains(names, word)) {
        return std::nullopt;
    }
    names.insert(names.end(), {"--help", "--version"});
    return fmt::format("no command '{}'. {}", word, name_suggestion(word, names));
}

void refuse_values_of_flags(CLI::App& program) {
    for (CLI::Option* option : program.get_options()) {
        if (option->get_expected_max() == 0) {
            option->disable_flag_override();
        }
    }
    for (CLI::App* command : program.get_subcommands({})) {
        refuse_values_of_flags(*command);
    }
}

std::optional<std::string> misread_value(const CLI::App& program, int argc, char** argv) {
    const CLI::App* command = command_of(program, argc, argv);
    const auto problem = command == nullptr ? std::nullopt : misread_option(*command);
    return problem ? std::optional(without_marks(with_help(*command, *problem))) : std::nullopt;
}

std::string usage_problem(
    const CLI::App& program, const CLI::ParseError& error, int argc, char** argv
) {
    const CLI::App* command = command_of(program, argc, argv);
    if (command == nullptr) {
        return problem_of_program(program, error, argc, argv);
    }
    auto problem = unknown_option(*command, 2, argc, argv);
    if (!problem) {
        problem = unknown_short_option(*command);
    }
    if (!problem) {
        problem = misread_option(*command);
    }
    return without_marks(with_help(*command, problem ? *problem : text_of(*command, error)));
}

}  // namespace schedfarm::campaigns
