#include "engine/foundation/message_text.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace schedfarm::engine {

namespace {

/// Whether every shell takes the character for itself, wherever it stands in a word.
bool is_plain(char c) {
    constexpr std::string_view others = "_-./,:+@%";
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
           || others.find(c) != std::string_view::npos;
}

}  // namespace

std::string counted(std::uint64_t count, std::string_view thing) {
    return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

std::string shell_word(std::string_view text) {
    if (!text.empty() && std::all_of(text.begin(), text.end(), is_plain)) {
        return std::string(text);
    }
    std::string word = "'";
    for (const char c : text) {
        word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return word + "'";
}

std::string program_command(const std::vector<std::string>& words) {
    std::string command = "schedfarm";
    for (const std::string& word : words) {
        command += " " + shell_word(word);
    }
    return command;
}

}  // namespace schedfarm::engine
