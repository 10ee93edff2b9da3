// What messages of every room are put together from: counts in words, and commands that a reader
// can paste into a shell. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace schedfarm::engine {

/// "0 cells", "1 cell", "2 cells".
std::string counted(std::uint64_t count, std::string_view thing);

/// The text as one word of a POSIX shell: as it is where no shell takes it apart, else quoted.
std::string shell_word(std::string_view text);

/// "schedfarm report 'my results.h5'": a command of the program, its words quoted where they must
/// be.
std::string program_command(const std::vector<std::string>& words);

}  // namespace schedfarm::engine
