// A table of text cells and its renderings: terminal (fits 80 columns where the content allows; see
// terminal_table.hpp), Markdown, CSV and LaTeX. Knows nothing of campaigns.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/report/wrapped_text.hpp"

namespace schedfarm::app {

/// What a note begins with that is never broken into lines, such as a command. Markdown's code.
inline constexpr std::string_view verbatim = "    ";

enum class Alignment : std::uint8_t { left, right };

/// What becomes of a text that is too long for a terminal.
enum class Overflow : std::uint8_t { widen, wrap };

/// What becomes of a column whose cells are all equal in a table that is too wide for a terminal:
/// it stays, or its text is told once, in a line below.
enum class Constant : std::uint8_t { in_every_row, told_once };

enum class ReportFormat : std::uint8_t { text, markdown, csv, latex };

struct TextColumn {
    std::string heading;
    Alignment alignment = Alignment::right;
    Overflow overflow = Overflow::widen;
    Constant constant = Constant::in_every_row;
};

struct TextTable {
    std::string title;
    std::string source;
    std::vector<TextColumn> columns;
    std::vector<std::vector<std::string>> rows;  ///< each as long as columns
    std::vector<std::string> notes;              ///< below the table, a paragraph each
    std::vector<std::string> warnings = {};      ///< those of the notes that are warnings
    bool rows_are_warnings = false;
    std::string label;  ///< LaTeX's; empty: the title's
    /// The first columns, repeated where a terminal shows a wide table in blocks; 0: never divided.
    std::size_t label_columns = 0;
};

/// A table without rows. Headings begin as {fmt} aligns: "<cell" is left, ">n" right, and "~text"
/// is left and broken into lines where it is too wide. `labels`: TextTable::label_columns.
TextTable text_table(
    std::string title, const std::vector<std::string>& headings, std::size_t labels = 0
);

/// The table if it has rows, else nothing.
std::vector<TextTable> with_rows(TextTable table);

/// A note that is a warning; an empty text is none.
void add_warning(TextTable& table, const std::string& text);

/// The table without one of its columns. REQUIRES: there is such a column.
void drop_column(TextTable& table, std::size_t column);

/// `width`: columns of the terminal, for text.
std::string render(const TextTable& table, ReportFormat format, std::size_t width = terminal_width);

}  // namespace schedfarm::app
