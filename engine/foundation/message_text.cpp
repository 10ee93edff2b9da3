#include "engine/foundation/message_text.hpp"

#include <algorithm>
#include <system_error>

#include <fmt/format.h>

namespace schedfarm::engine {

namespace {

/// Whether every shell takes the character for itself, wherever it stands in a word.
bool is_plain(char c) {
    constexpr std::string_view others = "_-./,:+@%";
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
           || others.find(c) != std::string_view::npos;
}

bool is_control(char c) {
    return static_cast<unsigned char>(c) < 0x20U || c == 0x7F;
}

/// As one word on one line, whatever the text holds.
std::string word_on_one_line(const std::string& text) {
    if (std::none_of(text.begin(), text.end(), is_control)) {
        return shell_word(text);
    }
    std::string word = "$'";
    for (const char c : text) {
        if (is_control(c)) {
            word += c == '\n' ? "\\n" : fmt::format("\\{:03o}", static_cast<unsigned>(c));
        } else {
            word += c == '\'' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
        }
    }
    return word + "'";
}

}  // namespace

std::string counted(std::uint64_t count, std::string_view thing) {
    return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

std::string counted_range(std::uint64_t least, std::uint64_t most, std::string_view thing) {
    const std::string end = counted(most, thing);
    return least == most ? end : std::to_string(least) + " to " + end;
}

std::string broken_link_text(const std::filesystem::path& path) {
    std::error_code error;
    if (!std::filesystem::is_symlink(path, error) || std::filesystem::exists(path, error)) {
        return "";
    }
    const std::filesystem::path end = std::filesystem::read_symlink(path, error);
    return fmt::format("it is a broken link to '{}'", end.string());
}

std::string absence_text(const std::filesystem::path& path) {
    const std::string broken = broken_link_text(path);
    return broken.empty() ? "there is no such file" : broken;
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

CommandWord::CommandWord(const std::filesystem::path& path) : text(path.string()) {
    if (text.substr(0, 1) == "-") {
        text.insert(0, "./");
    }
}

std::string program_command(const std::vector<CommandWord>& words) {
    std::string command = "schedfarm";
    for (const CommandWord& word : words) {
        command += " " + word_on_one_line(word.text);
    }
    return command;
}

}  // namespace schedfarm::engine
