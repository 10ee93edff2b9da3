// `schedfarm completion SHELL`: the script that completes commands, options and files, from the
// same tables of options as --help. It is shown in no list: shells read it (tools/completion).
#include "app/cli/commands/options/completion_options.hpp"

#include <array>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace schedfarm::app {

namespace {

/// Files of arguments by their names in the help.
constexpr std::array file_kinds{
    std::pair("campaign", "*.yaml"),
    std::pair("results", "*.h5"),
    std::pair("parts", "*.h5"),
    std::pair("A", "*.h5"),
    std::pair("journal", "*.journal")};

/// CLI11 keeps groups of options as commands without a name.
void add_words(const CLI::App& command, std::vector<std::string>& words, std::string& files) {
    for (const CLI::Option* option : command.get_options()) {
        if (option->get_positional()) {
            for (const auto& [name, pattern] : file_kinds) {
                files = option->get_name() == name ? pattern : files;
            }
        } else if (!option->get_group().empty()) {
            for (const std::string& name : option->get_lnames()) {
                words.push_back("--" + name);
            }
        }
    }
    for (const CLI::App* group : command.get_subcommands({})) {
        add_words(*group, words, files);
    }
}

constexpr const char* head = R"(# shellcheck shell=bash
_schedfarm_words() { # -W WORDS or another selection of compgen: what begins as the word does
    local match
    while IFS= read -r match; do # zsh has no mapfile
        COMPREPLY+=("$match")
    done < <(compgen "$@" -- "$word" 2>/dev/null)
}

_schedfarm() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]:-}
    local options="" files="*"
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
)";

constexpr const char* tail = R"(    esac
    case $word in
    -*)
        _schedfarm_words -W "$options"
        return
        ;;
    esac
    case $before in
    -*) files="*" ;; # a value, of which any file may be one
    esac
    _schedfarm_words -d
    if [ "$files" = "*" ]; then
        COMPREPLY=()
        _schedfarm_words -f
    else
        _schedfarm_words -f -X "!$files"
    fi
}
complete -o filenames -F _schedfarm schedfarm
)";

std::string bash_script(const CLI::App& app) {
    std::vector<std::string> commands;
    std::string cases;
    for (const CLI::App* command : app.get_subcommands({})) {
        if (command->get_group().empty()) {
            continue;  // --help does not show it
        }
        commands.push_back(command->get_name());
        std::vector<std::string> words;
        std::string files = "*";
        add_words(*command, words, files);
        cases += fmt::format(
            "    {}) files=\"{}\" options=\"{}\" ;;\n",
            command->get_name(),
            files,
            fmt::join(words, " ")
        );
    }
    return fmt::format(
        "{}        _schedfarm_words -W \"{}\"\n        return\n    fi\n    case $command in\n{}{}",
        head,
        fmt::join(commands, " "),
        cases,
        tail
    );
}

/// In quotes of fish.
std::string fish_quoted(const std::string& text) {
    std::string quoted = "'";
    for (const char c : text.substr(0, text.find('\n'))) {
        quoted += c == '\'' || c == '\\' ? std::string{'\\', c} : std::string{c};
    }
    return quoted + "'";
}

std::string fish_script(const CLI::App& app) {
    std::string script = "complete -c schedfarm -f\n";
    for (const CLI::App* command : app.get_subcommands({})) {
        if (command->get_group().empty()) {
            continue;
        }
        const std::string& name = command->get_name();
        const std::string here =
            fmt::format("complete -c schedfarm -n '__fish_seen_subcommand_from {}'", name);
        script += fmt::format(
            "complete -c schedfarm -n __fish_use_subcommand -a {} -d {}\n",
            name,
            fish_quoted(command->get_description())
        );
        std::vector<std::string> words;
        std::string files = "*";
        add_words(*command, words, files);
        for (const std::string& word : words) {
            script += fmt::format("{} -a {}\n", here, word);
        }
        script +=
            files == "*"
                ? here + " -F\n"
                : fmt::format("{} -k -a '(__fish_complete_suffix {})'\n", here, files.substr(1));
    }
    return script;
}

}  // namespace

void add_completion(CLI::App& app, Selected& selected) {
    auto shell = std::make_shared<std::string>();
    CLI::App* command =
        app.add_subcommand("completion", "The script that completes words in a shell")->group("");
    command->add_option("shell", *shell, "bash, zsh or fish")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}));
    select(*command, selected, [&app, shell] {
        const std::string before =
            *shell == "zsh" ? "autoload -U compinit bashcompinit && compinit && bashcompinit\n"
                            : "";
        const std::string script = *shell == "fish" ? fish_script(app) : before + bash_script(app);
        std::fputs(script.c_str(), stdout);
        return ExitCode::done;
    });
}

}  // namespace schedfarm::app
