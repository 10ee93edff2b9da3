#include "app/report/terminal_table.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "app/report/wrapped_text.hpp"

namespace schedfarm::app {

namespace {

constexpr std::size_t gap = 2;
constexpr std::size_t widest_word_kept = 24;
constexpr std::size_t readable_column = 40;

using TableLine = std::vector<std::string>;  // a text per column of its block

/// The columns that stand side by side, and how wide each is.
struct Block {
    std::vector<std::size_t> columns;
    std::vector<std::size_t> widths;

    std::size_t width() const {
        std::size_t total = 0;
        for (const std::size_t own : widths) {
            total += own + (total == 0 ? 0 : gap);
        }
        return total;
    }
};

std::size_t longest_word(const std::string& text) {
    std::size_t longest = 0;
    for (const std::string& word : wrapped(text, 1)) {
        longest = std::max(longest, display_width(word));
    }
    return longest;
}

enum class Headings : std::uint8_t { in_one_line, in_several_lines };

std::size_t column_width(const TextTable& table, std::size_t column, Headings headings) {
    const std::string& heading = table.columns[column].heading;
    std::size_t width =
        headings == Headings::in_one_line ? display_width(heading) : longest_word(heading);
    for (const auto& row : table.rows) {
        width = std::max(width, display_width(row[column]));
    }
    return width;
}

Block whole(const TextTable& table, Headings headings) {
    Block block;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        block.columns.push_back(c);
        block.widths.push_back(column_width(table, c, headings));
    }
    return block;
}

Block labels_of(const TextTable& table, const Block& wide) {
    Block labels;
    for (std::size_t c = 0; c < table.label_columns; ++c) {
        labels.columns.push_back(c);
        labels.widths.push_back(wide.widths[c]);
    }
    return labels;
}

/// Label columns first in every block, then as many others as fit, one at least.
std::vector<Block> split(const TextTable& table, const Block& wide, std::size_t width) {
    const Block labels = labels_of(table, wide);
    std::vector<Block> blocks{labels};
    for (std::size_t c = table.label_columns; c < table.columns.size(); ++c) {
        const bool is_first = blocks.back().columns.size() == table.label_columns;
        if (!is_first && blocks.back().width() + gap + wide.widths[c] > width) {
            blocks.push_back(labels);
        }
        blocks.back().columns.push_back(c);
        blocks.back().widths.push_back(wide.widths[c]);
    }
    return blocks;
}

/// How narrow a column may become: its words stay whole, if they are not too long.
std::size_t narrowest(const TextTable& table, std::size_t column) {
    std::size_t width = longest_word(table.columns[column].heading);
    for (const auto& row : table.rows) {
        width = std::max(width, std::min(longest_word(row[column]), widest_word_kept));
    }
    return width;
}

/// Narrows columns that may wrap, the widest first, until the block fits or all are as narrow as
/// they may be. REQUIRES: a block of all columns.
void narrow_wrapped_columns(const TextTable& table, Block& block, std::size_t width) {
    std::vector<std::size_t> room(table.columns.size(), 0);
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        if (table.columns[c].overflow == Overflow::wrap) {
            room[c] = block.widths[c] - std::min(block.widths[c], narrowest(table, c));
        }
    }
    while (block.width() > width) {
        std::optional<std::size_t> widest;
        for (std::size_t c = 0; c < room.size(); ++c) {
            if (room[c] > 0 && (!widest || block.widths[c] > block.widths[*widest])) {
                widest = c;
            }
        }
        if (!widest) {
            return;
        }
        --block.widths[*widest];
        --room[*widest];
    }
}

std::vector<Block> blocks_of(const TextTable& table, std::size_t width) {
    Block block = whole(table, Headings::in_one_line);
    if (block.width() > width) {
        block = whole(table, Headings::in_several_lines);
    }
    if (block.width() <= width) {
        return {block};
    }
    Block narrow = block;
    narrow_wrapped_columns(table, narrow, width);
    if (narrow.width() <= width) {
        return {narrow};
    }
    // Beside names that fill the line no column fits: blocks would only repeat them.
    const bool is_hopeless = labels_of(table, narrow).width() >= width;
    if (table.label_columns > 0 && !is_hopeless) {
        return split(table, narrow, width);
    }
    // Texts beside such names need not be as narrow as words.
    for (std::size_t c = 0; c < block.widths.size(); ++c) {
        narrow.widths[c] = std::max(narrow.widths[c], std::min(block.widths[c], readable_column));
    }
    return {narrow};
}

void add_padded(
    std::string& line, const std::string& text, std::size_t width, Alignment alignment
) {
    const std::size_t space = width - std::min(width, display_width(text));
    line.append(alignment == Alignment::left ? 0 : space, ' ');
    line += text;
    line.append(alignment == Alignment::left ? space : 0, ' ');
}

enum class Vertical : std::uint8_t { top, bottom };

/// A row of cells, each in as many lines as it needs.
std::vector<TableLine> lines_of_row(
    const TextTable& table,
    const Block& block,
    const std::vector<std::string>& cells,
    Vertical vertical
) {
    std::vector<std::vector<std::string>> parts;
    std::size_t height = 1;
    for (std::size_t i = 0; i < block.columns.size(); ++i) {
        const bool wraps = vertical == Vertical::bottom
                           || table.columns[block.columns[i]].overflow == Overflow::wrap;
        const std::string& cell = cells[block.columns[i]];
        parts.push_back(wraps ? wrapped(cell, block.widths[i]) : std::vector<std::string>{cell});
        height = std::max(height, parts.back().size());
    }
    std::vector<TableLine> lines(height, TableLine(parts.size()));
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::size_t above = vertical == Vertical::bottom ? height - parts[i].size() : 0;
        for (std::size_t part = 0; part < parts[i].size(); ++part) {
            lines[above + part][i] = std::move(parts[i][part]);
        }
    }
    return lines;
}

void add_lines(
    std::string& text,
    const TextTable& table,
    const Block& block,
    const std::vector<TableLine>& lines
) {
    for (const TableLine& cells : lines) {
        const std::size_t begin = text.size();
        for (std::size_t i = 0; i < cells.size(); ++i) {
            text.append(i == 0 ? 0 : gap, ' ');
            add_padded(text, cells[i], block.widths[i], table.columns[block.columns[i]].alignment);
        }
        text.resize(std::max(begin, text.find_last_not_of(' ') + 1));
        text += '\n';
    }
}

void add_block(std::string& text, const TextTable& table, const Block& block) {
    std::vector<std::string> headings;
    for (const TextColumn& column : table.columns) {
        headings.push_back(column.heading);
    }
    text += "\n";
    add_lines(text, table, block, lines_of_row(table, block, headings, Vertical::bottom));
    text += std::string(block.width(), '-') + "\n";
    for (const auto& row : table.rows) {
        add_lines(text, table, block, lines_of_row(table, block, row, Vertical::top));
    }
}

/// In lines of their own.
std::string filled(const std::string& text, std::size_t width) {
    std::string lines;
    for (const std::string& line : wrapped(text, width)) {
        lines += line + "\n";
    }
    return lines;
}

}  // namespace

std::string terminal_text(const TextTable& table, std::size_t width) {
    std::string text = filled(table.title, width);
    text += table.source.empty() ? "" : filled(table.source, width);
    if (!table.columns.empty()) {
        for (const Block& block : blocks_of(table, width)) {
            add_block(text, table, block);
        }
    }
    text += table.notes.empty() ? "" : "\n";
    for (const std::string& note : table.notes) {
        text += note.starts_with(verbatim) ? note + "\n" : filled(note, width);
    }
    return text;
}

}  // namespace schedfarm::app
