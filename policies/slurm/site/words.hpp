// Words of slurm.conf: lines with their continuations, keys and values.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace schedfarm::policies::slurm {

/// Begins the line that says of which file and number the next one is: "#file NAME NUMBER".
inline constexpr std::string_view file_mark = "#file ";

struct ConfWord {
    std::string key;  ///< in small letters
    std::string value;
    std::string text;       ///< KEY=VALUE as it stands there, long ones cut
    bool has_value = true;  ///< it has an equals sign and something behind it
};

struct ConfLine {
    std::string file;
    std::size_t number = 0;
    std::vector<ConfWord> words;

    /// The value of a key; nothing where the line does not have it.
    std::optional<std::string> value(std::string_view key) const;
};

char small_letter(char letter);
std::string small_letters(std::string_view text);
std::vector<std::string> parts(std::string_view text, char separator);
/// "a;b": those that are not empty.
std::vector<std::string> divided(std::string_view list);
/// "mat:4,sim" or with semicolons: names and how many of each, without a number 1; no number where
/// it is none.
std::vector<std::pair<std::string, std::optional<std::uint32_t>>> named_counts(std::string_view list
);
/// Without blanks, and the end of a line of DOS, at both ends.
std::string_view trimmed(std::string_view text);
/// For messages: what is too long, or is no text, is cut.
std::string shown(std::string_view text);

/// Where a line of a text stands. Takes a mark itself and says so.
struct LineCounter {
    std::string file;
    std::size_t number = 0;  ///< of the line that was passed last

    bool is_mark(std::string_view line);
};

/// Lines with words, without comments; a backslash at the end joins the next. As in Slurm blanks
/// may stand around an equals sign, and quotes keep a value together.
std::vector<ConfLine> conf_lines(std::string_view text, std::string_view file);

}  // namespace schedfarm::policies::slurm
