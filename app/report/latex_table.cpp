#include <map>
#include <string_view>
#include <vector>

#include "app/report/terminal_table.hpp"
#include "app/report/wrapped_text.hpp"

namespace schedfarm::app {

namespace {

/// Digits of 8 pt that stand beside each other in the 345 pt of an article.
constexpr std::size_t article_width = 80;
/// Lines of 9.5 pt that leave place for the caption on a page of 550 pt.
constexpr std::size_t article_lines = 48;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// Of a negative number or between two terms, not of a range, a date or a name.
bool is_minus(const std::string& text, std::size_t at) {
    const bool begins = at == 0 || std::string_view(" [(,<").find(text[at - 1]) < 5;
    const char next = at + 1 < text.size() ? text[at + 1] : '\0';
    return begins && (is_digit(next) || next == '.' || (at > 0 && next == ' '));
}

std::string latex_text(const std::string& text) {
    // LaTeX's first font has other characters at the places of < and >, and none of the rest.
    static const std::map<std::string_view, std::string_view> signs{
        {"\n", " "},
        {"\\", "\\textbackslash{}"},
        {"~", "\\textasciitilde{}"},
        {"^", "\\textasciicircum{}"},
        {"&", "\\&"},
        {"%", "\\%"},
        {"$", "\\$"},
        {"#", "\\#"},
        {"_", "\\_"},
        {"{", "\\{"},
        {"}", "\\}"},
        {"<", "$<$"},
        {">", "$>$"},
        {"|", "$|$"},
        {"±", "$\\pm$"},
        {"−", "$-$"},
        {"≤", "$\\le$"},
        {"≥", "$\\ge$"},
        {"×", "$\\times$"},
        {"→", "$\\to$"},
        {"²", "$^2$"},
        {"√", "$\\surd$"},
        {"∞", "$\\infty$"},
        {"γ", "$\\gamma$"},
        {"ε", "$\\varepsilon$"},
        {"κ", "$\\kappa$"},
        {"μ", "$\\mu$"},
        {"σ", "$\\sigma$"},
        {"α", "$\\alpha$"},
        {"λ", "$\\lambda$"},
        {"ρ", "$\\rho$"}};
    std::string done;
    for (std::size_t at = 0, end = 0; at < text.size(); at = end) {
        end = at + 1;
        while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
            ++end;
        }
        const std::string_view character(text.data() + at, end - at);
        const auto sign = signs.find(character);
        if (sign != signs.end()) {
            done += sign->second;
        } else if (character == "-" && is_minus(text, at)) {
            done += "$-$";
        } else if (character == "-" && end < text.size() && text[end] == '-') {
            done += "-{}";  // -- would be a dash
        } else {
            done += character;
        }
    }
    return done;
}

/// "tab:" and the words of a title.
std::string label_of(const TextTable& table) {
    std::string label = "tab:";
    for (const char c : table.label.empty() ? table.title : table.label) {
        const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (is_letter || is_digit(c)) {
            label += c;
        } else if (label.back() != '-' && label.back() != ':') {
            label += '-';
        }
    }
    return label;
}

std::string row_text(const TableLine& cells) {
    std::string line;
    for (std::size_t c = 0; c < cells.size(); ++c) {
        line += (c == 0 ? "" : " & ") + latex_text(cells[c]);
    }
    // The row before ends with \\, which would take a [ or * for its own argument.
    const bool is_argument = line.starts_with('[') || line.starts_with('*');
    return (is_argument ? "{}" : "") + line + " \\\\\n";
}

/// What is never divided between two floats.
struct Piece {
    std::size_t lines;
    std::string text;
};

/// The rows of a block from `row` on that fit a page below their headings, one at least; moves
/// `row` behind them.
Piece tabular(const TableBlock& block, std::size_t& row) {
    Piece piece{
        block.headings.size() + 2,
        "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n"};
    piece.text += "\\begin{tabular}{@{}";
    for (const Alignment alignment : block.alignments) {
        piece.text += alignment == Alignment::left ? 'l' : 'r';
    }
    piece.text += "@{}}\n\\toprule\n";
    for (const TableLine& line : block.headings) {
        piece.text += row_text(line);
    }
    piece.text += "\\midrule\n";
    const std::size_t first = row;
    for (; row < block.rows.size()
           && (row == first || piece.lines + block.rows[row].size() <= article_lines);
         ++row) {
        for (const TableLine& line : block.rows[row]) {
            piece.text += row_text(line);
        }
        piece.lines += block.rows[row].size();
    }
    piece.text += "\\bottomrule\n\\end{tabular}}\n";
    return piece;
}

std::vector<Piece> pieces_of(const TextTable& table) {
    const TableBlocks parts = in_blocks(table, article_width);
    std::vector<Piece> pieces;
    for (const TableBlock& block : parts.blocks) {
        std::size_t row = 0;
        do {
            pieces.push_back(tabular(block, row));
        } while (row < block.rows.size());
    }
    for (const std::string& note : parts.notes) {
        const bool is_code = note.starts_with(verbatim);
        const std::string text = latex_text(is_code ? note.substr(verbatim.size()) : note);
        pieces.push_back(
            {wrapped(note, article_width).size(),
             "{\\raggedright" + (is_code ? "\\ttfamily " + text : " " + text) + "\\par}\n"}
        );
    }
    return pieces;
}

}  // namespace

std::string latex_tables(const TextTable& table) {
    const std::string begin = "\\begin{table}\n\\centering\n\\caption{" + latex_text(table.title);
    const std::string size = "\\footnotesize\\setlength{\\tabcolsep}{4pt}\n";
    std::string text = table.source.empty() ? "" : "% " + latex_text(table.source) + "\n";
    text += begin + "}\n\\label{" + label_of(table) + "}\n" + size;
    std::size_t lines = 0;
    for (const Piece& piece : pieces_of(table)) {
        if (lines > 0 && lines + piece.lines > article_lines) {
            text += "\\end{table}\n" + begin + " (continued)}\n" + size;
            lines = 0;
        }
        text += (lines > 0 ? "\n\\smallskip\n" : "") + piece.text;
        lines += piece.lines + 1;
    }
    return text + "\\end{table}\n";
}

}  // namespace schedfarm::app
