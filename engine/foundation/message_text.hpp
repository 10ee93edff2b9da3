// What messages of every room are put together from: counts in words, why a file is not there, and
// commands that a reader can paste into a shell. Pure, but for the look at links.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace schedfarm::engine {

/// "0 cells", "1 cell", "2 cells".
std::string counted(std::uint64_t count, std::string_view thing);

/// "1 processor", "3 to 4 processors".
std::string counted_range(std::uint64_t least, std::uint64_t most, std::string_view thing);

/// What is wrong with a link at whose end nothing is: "it is a broken link to 'x.swf'". Empty where
/// the path is no such link.
std::string broken_link_text(const std::filesystem::path& path);

/// Why nothing is found at a path: it is a broken link, or "there is no such file".
std::string absence_text(const std::filesystem::path& path);

/// The text as one word of a POSIX shell: as it is where no shell takes it apart, else quoted.
std::string shell_word(std::string_view text);

/// One word of a command of the program: as it is, or the path of a file. A relative path that
/// begins with a dash becomes "./-…", which nobody takes for an option.
struct CommandWord {
    CommandWord(const char* word) : text(word) {}             // NOLINT(google-explicit-constructor)
    CommandWord(std::string word) : text(std::move(word)) {}  // NOLINT(google-explicit-constructor)
    CommandWord(const std::filesystem::path& path);           // NOLINT(google-explicit-constructor)

    std::string text;
};

/// "schedfarm report 'my results.h5'": a command of the program on one line, its words quoted where
/// they must be. One with control characters needs $'…' (POSIX.1-2024, bash, zsh, ksh; not dash).
std::string program_command(const std::vector<CommandWord>& words);

}  // namespace schedfarm::engine
