// The comments at the head of a log: "; Key: value". Spacing and capitals of keys vary, keys
// repeat, values that should be numbers carry remarks ("338 (batch partition; 512 total)").
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace schedfarm::models::trace {

struct HeaderLine {
    std::string key;  ///< empty: a remark, or the continuation of the line before
    std::string value;
    std::uint64_t line = 0;  ///< of the file, from 1; 0: of none
};

/// The parts of a comment line; `comment` begins with ';'.
HeaderLine header_line(std::string_view comment);

/// Capitals, spaces and underscores do not count.
bool is_same_key(std::string_view a, std::string_view b);

struct Header {
    std::vector<HeaderLine> lines;

    /// The first line with this key, or null.
    const HeaderLine* line_of(std::string_view key) const;
    /// The value of the first line with this key; capitals and spaces do not count.
    std::optional<std::string_view> find(std::string_view key) const;
    /// That value as an integer, "338", "1,024" or "338 (batch partition; 512 total)": absent where
    /// it is anything else, "64 nodes x 16" or "2002-07-28".
    std::optional<std::int64_t> number(std::string_view key) const;
    /// The first line with this key, where it says something else than a number.
    const HeaderLine* unreadable_number(std::string_view key) const;

    /// What lines "Queue: 3 night (10 to 12 processors)" call number 3: "night"; the last line
    /// counts, characters that no terminal shows are '?'. Empty where none names it.
    std::string name_of(std::string_view key, std::int64_t number) const;

    /// Those that say otherwise than the first of their kind: of the machine's size, of the clock,
    /// of the computer, or of what a queue, a partition, a group or a user is called.
    std::vector<const HeaderLine*> contradictory_lines() const;

    /// MaxProcs, else MaxNodes, if positive and below 2^31. Absent where the one that counts cannot
    /// be read: nodes are no processors then.
    std::optional<std::uint32_t> processors() const;
    /// The line on which that cannot be read; null: there is none.
    const HeaderLine* unreadable_processors() const;
};

}  // namespace schedfarm::models::trace
