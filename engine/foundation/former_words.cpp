#include "engine/foundation/former_words.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

namespace schedfarm::engine {

namespace {

constexpr std::string_view former = "queueing_time";
constexpr std::string_view current = "wait";

bool is_of_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Whether what stands at `at`, so many characters long, is no part of a longer word.
bool is_word(const std::string& text, std::size_t at, std::size_t length) {
    return (at == 0 || !is_of_word(text[at - 1]))
           && (at + length == text.size() || !is_of_word(text[at + length]));
}

}  // namespace

std::string with_current_words(std::string text) {
    std::size_t at = text.find(former);
    while (at != std::string::npos) {
        const bool is_meant = is_word(text, at, former.size());
        if (is_meant) {
            text.replace(at, former.size(), current);
        }
        at = text.find(former, at + (is_meant ? current.size() : former.size()));
    }
    return text;
}

std::string lasting_name(std::string column) {
    if (column.starts_with(current) && is_word(column, 0, current.size())) {
        column.replace(0, current.size(), former);
    }
    return column;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) {
        for (std::size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            const std::size_t replaced = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, replaced});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
            }
        }
    }
    return d[a.size()][b.size()];
}

}  // namespace schedfarm::engine
