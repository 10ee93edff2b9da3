// What an option of the command line takes, made of what CLI11 says of it. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace schedfarm::campaigns {

enum class OptionValue : std::uint8_t { none, text, word, integer, number, time };

struct OptionKind {
    OptionValue value = OptionValue::text;
    std::vector<std::string> words;  ///< OptionValue::word: those that may be written
    std::string range;               ///< "320 to 10000", "above 0"; empty: no limits
};

OptionKind kind_of(const CLI::Option& option);

/// How a value is written in a usage: "<number>", or the words: "bitwise|overlap|paired".
std::string value_word(const OptionKind& kind);

/// "'3' is not a whole number from 320 to 10000", for a value that is none.
std::string value_problem(const OptionKind& kind, const std::string& value);

/// Whether a value is a number where it has to be one, as campaign files have them. CLI11 reads
/// "-1" as 2^64 - 1 and "nan" as a positive number.
bool is_readable(const OptionKind& kind, const std::string& value);

/// A readable value as CLI11 reads it like campaign files do: "+0.5" without its sign, "1e5" and
/// "010" with digits alone. Others as they are.
std::string plain_value(const OptionKind& kind, const std::string& value);

/// Makes "90", "1.5h" and "2d" seconds; s, m, h and d may stand behind a number.
CLI::Validator time_in_seconds();

}  // namespace schedfarm::campaigns
