// A text table on a terminal of 80 columns. A table that is too wide gets its headings in several
// lines, then the columns that wrap in several lines, then its columns in blocks, each with the
// label columns repeated. A column that is too wide for itself stays as it is.
#pragma once

#include <string>
#include <vector>

#include "app/report/text_table.hpp"

namespace schedfarm::app {

using TableLine = std::vector<std::string>;  ///< a text per column of its block

/// Columns that stand side by side. What is wider than its column goes on in the next line.
struct TableBlock {
    std::vector<Alignment> alignments;
    std::vector<std::size_t> widths;
    std::vector<TableLine> headings;
    std::vector<std::vector<TableLine>> rows;  ///< the lines of every row
};

struct TableBlocks {
    std::vector<TableBlock> blocks;
    std::vector<std::string> notes;
};

/// The table on lines of `width` characters.
TableBlocks in_blocks(const TextTable& table, std::size_t width);

std::string terminal_text(const TextTable& table, std::size_t width);

/// Tables of LaTeX: booktabs, within the text width of an article of one column, whose size is 10
/// pt or more. Needs the packages booktabs and graphicx. A table that is too wide comes in blocks
/// as on a terminal, one that is too high for a page as several floats.
std::string latex_tables(const TextTable& table);

}  // namespace schedfarm::app
