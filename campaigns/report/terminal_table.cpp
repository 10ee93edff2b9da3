#include "campaigns/report/terminal_table.hpp"

#include <algorithm>

#include "campaigns/report/wrapped_text.hpp"

namespace schedfarm::campaigns {

namespace {

constexpr std::size_t gap = 2;
constexpr std::size_t narrowest_wrapped_column = 24;

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

/// Label columns first in every block, then as many others as fit, one at least.
std::vector<Block> split(const TextTable& table, const Block& wide) {
    Block labels;
    for (std::size_t c = 0; c < table.label_columns; ++c) {
        labels.columns.push_back(c);
        labels.widths.push_back(wide.widths[c]);
    }
    std::vector<Block> blocks{labels};
    for (std::size_t c = table.label_columns; c < table.columns.size(); ++c) {
        const bool is_first = blocks.back().columns.size() == table.label_columns;
        if (!is_first && blocks.back().width() + gap + wide.widths[c] > terminal_width) {
            blocks.push_back(labels);
        }
        blocks.back().columns.push_back(c);
        blocks.back().widths.push_back(wide.widths[c]);
    }
    return blocks;
}

std::vector<Block> blocks_of(const TextTable& table) {
    Block block = whole(table, Headings::in_one_line);
    if (block.width() > terminal_width) {
        block = whole(table, Headings::in_several_lines);
    }
    const std::size_t width = block.width();
    if (width <= terminal_width) {
        return {block};
    }
    if (table.columns.back().overflow == Overflow::wrap) {
        std::size_t& last = block.widths.back();
        const std::size_t excess = width - terminal_width;
        last = std::max(narrowest_wrapped_column, last - std::min(last, excess));
        return {block};
    }
    return table.label_columns > 0 ? split(table, block) : std::vector<Block>{block};
}

std::string padded(const std::string& text, std::size_t width, Alignment alignment) {
    const std::string space(width - std::min(width, display_width(text)), ' ');
    return alignment == Alignment::left ? text + space : space + text;
}

enum class Vertical : std::uint8_t { top, bottom };

/// A row of cells, each in as many lines as it needs.
std::string lines_of_row(
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
    std::string text;
    for (std::size_t line = 0; line < height; ++line) {
        std::string own;
        for (std::size_t i = 0; i < block.columns.size(); ++i) {
            const std::size_t above = vertical == Vertical::bottom ? height - parts[i].size() : 0;
            const bool is_there = line >= above && line - above < parts[i].size();
            const Alignment alignment = table.columns[block.columns[i]].alignment;
            own += (i == 0 ? "" : std::string(gap, ' '))
                   + padded(is_there ? parts[i][line - above] : "", block.widths[i], alignment);
        }
        own.erase(own.find_last_not_of(' ') + 1);
        text += own + "\n";
    }
    return text;
}

std::string block_text(const TextTable& table, const Block& block) {
    std::vector<std::string> headings;
    for (const TextColumn& column : table.columns) {
        headings.push_back(column.heading);
    }
    std::string text = "\n" + lines_of_row(table, block, headings, Vertical::bottom);
    text += std::string(block.width(), '-') + "\n";
    for (const auto& row : table.rows) {
        text += lines_of_row(table, block, row, Vertical::top);
    }
    return text;
}

}  // namespace

std::string terminal_text(const TextTable& table) {
    std::string text = table.title + "\n";
    text += table.source.empty() ? "" : table.source + "\n";
    if (!table.columns.empty()) {
        for (const Block& block : blocks_of(table)) {
            text += block_text(table, block);
        }
    }
    text += table.notes.empty() ? "" : "\n";
    for (const std::string& note : table.notes) {
        const bool is_whole = note.starts_with(verbatim);
        for (const std::string& line :
             is_whole ? std::vector<std::string>{note} : wrapped(note, terminal_width)) {
            text += line + "\n";
        }
    }
    return text;
}

}  // namespace schedfarm::campaigns
