// Words of slurm.conf: lines with their continuations, keys, times.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace schedfarm::policies::slurm {

struct ConfWord {
    std::string key;  ///< in small letters
    std::string value;
    std::string text;  ///< as it stands there
};

struct ConfLine {
    std::string file;
    std::size_t number = 0;
    std::vector<ConfWord> words;

    /// The value of a key; nothing where the line does not have it.
    std::optional<std::string> value(std::string_view key) const;
};

std::string small_letters(std::string_view text);
std::vector<std::string> parts(std::string_view text, char separator);
/// "a;b": those that are not empty.
std::vector<std::string> divided(std::string_view list);

/// Lines with words, without comments, a backslash at the end joins the next.
std::vector<ConfLine> conf_lines(std::string_view text, std::string_view file);

/// A whole number; K, M, G, T at its end count 1024 each.
std::optional<std::uint64_t> whole_number(std::string_view text);

/// Seconds of "minutes", "minutes:seconds", "hours:minutes:seconds", "days-hours",
/// "days-hours:minutes", "days-hours:minutes:seconds", INFINITE and UNLIMITED (a year).
std::optional<std::int64_t> minutes_as_seconds(std::string_view text);

}  // namespace schedfarm::policies::slurm
