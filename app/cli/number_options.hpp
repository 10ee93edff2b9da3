// Numbers and words on the command line; numbers are read as they stand in campaign files. CLI11's
// own validators take "010" for eight, refuse "1e5" where a whole number is wanted and admit "nan"
// above 0.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace schedfarm::app {

CLI::Validator whole_number(
    std::uint64_t least = 0, std::uint64_t most = std::numeric_limits<std::uint64_t>::max()
);

CLI::Validator positive_number();

CLI::Validator number_between(double least, double most);

/// Makes "90", "1.5h" and "2d" seconds; s, m, h and d may stand behind a number.
CLI::Validator time_in_seconds();

/// One of the words, or a file that is there.
CLI::Validator word_or_file(const std::vector<std::string>& words);

}  // namespace schedfarm::app
