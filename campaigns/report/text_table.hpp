// A table of text cells and its renderings: terminal (fits 80 columns where the content allows),
// Markdown, CSV and LaTeX. Knows nothing of campaigns.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace schedfarm::campaigns {

enum class Alignment : std::uint8_t { left, right };

enum class ReportFormat : std::uint8_t { text, markdown, csv, latex };

struct TextColumn {
    std::string heading;
    Alignment alignment = Alignment::right;
};

struct TextTable {
    std::string title;
    std::string source;
    std::vector<TextColumn> columns;
    std::vector<std::vector<std::string>> rows;  ///< each as long as columns
    std::vector<std::string> notes;              ///< below the table, one line each
};

std::string render(const TextTable& table, ReportFormat format);

/// Characters that a UTF-8 text occupies on a terminal (no wide characters are used here).
std::size_t display_width(const std::string& text);

}  // namespace schedfarm::campaigns
