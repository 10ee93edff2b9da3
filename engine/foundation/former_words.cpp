#include "engine/foundation/former_words.hpp"

#include <cctype>
#include <cstddef>
#include <string_view>

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

}  // namespace schedfarm::engine
