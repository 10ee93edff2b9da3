// A table of text cells, and its text for a terminal (80 columns where the content allows; see
// terminal_table.hpp). Knows nothing of campaigns.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/report/wrapped_text.hpp"

namespace schedfarm::app {

/// What a note begins with that is never broken into lines, such as a command.
inline constexpr std::string_view verbatim = "    ";

enum class Alignment : std::uint8_t { left, right };

/// What becomes of a text that is too long for a terminal.
enum class Overflow : std::uint8_t { widen, wrap };

struct TextColumn {
    std::string heading;
    Alignment alignment = Alignment::right;
    Overflow overflow = Overflow::widen;
};

struct TextTable {
    std::string title;
    std::string source;
    std::vector<TextColumn> columns;
    std::vector<std::vector<std::string>> rows;  ///< each as long as columns
    std::vector<std::string> notes;              ///< below the table, a paragraph each
    /// The first columns, repeated where a terminal shows a wide table in blocks; 0: never divided.
    std::size_t label_columns = 0;
};

/// A table without rows. Headings begin as {fmt} aligns: "<cell" is left, ">n" right, and "~text"
/// is left and broken into lines where it is too wide. `labels`: TextTable::label_columns.
TextTable text_table(
    std::string title, const std::vector<std::string>& headings, std::size_t labels = 0
);

/// `width`: columns of the terminal.
std::string render(TextTable table, std::size_t width = terminal_width);

}  // namespace schedfarm::app
