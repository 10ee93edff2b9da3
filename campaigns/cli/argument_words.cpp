#include "campaigns/cli/argument_words.hpp"

#include <algorithm>

#include "campaigns/cli/option_kind.hpp"

namespace schedfarm::campaigns {

namespace {

constexpr char mark = '\x01';

}  // namespace

std::vector<std::string> marked_words(int argc, const char* const* argv) {
    constexpr int first_after_command = 2;
    std::vector<std::string> words;
    bool are_arguments = false;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (!are_arguments && i >= first_after_command && word == "--") {
            are_arguments = true;
        } else {
            words.push_back(are_arguments || is_marked(word) ? mark + word : word);
        }
    }
    return words;
}

void admit_words(CLI::App& program) {
    for (CLI::App* command : program.get_subcommands({})) {
        for (CLI::Option* option : command->get_options()) {
            if (const OptionKind kind = kind_of(*option); kind.value != OptionValue::none) {
                option->transform([kind](const std::string& word) {
                    return plain_value(kind, is_marked(word) ? word.substr(1) : word);
                });
            }
        }
        admit_words(*command);  // its groups
    }
}

bool is_marked(const std::string& word) {
    return word.starts_with(mark);
}

std::string without_marks(std::string text) {
    text.erase(std::remove(text.begin(), text.end(), mark), text.end());
    return text;
}

}  // namespace schedfarm::campaigns
