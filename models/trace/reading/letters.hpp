#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace schedfarm::models::trace {

// Letters of ASCII, whatever the locale says.

constexpr char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

constexpr bool is_letter(char c) {
    return lower(c) >= 'a' && lower(c) <= 'z';
}

constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// Whether the texts are the same, whatever the case of their letters.
constexpr bool is_same(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
        return lower(x) == lower(y);
    });
}

/// Without blanks at its ends.
inline std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n\v\f";
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) {
        return {};
    }
    return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

/// With '?' for all that is not ASCII and seen: one character may hide several bytes, and logs hold
/// anything.
inline std::string printable(std::string_view text) {
    std::string result(text);
    std::replace_if(
        result.begin(), result.end(), [](char c) { return c < ' ' || c > '~'; }, '?'
    );
    return result;
}

/// The same, at most so long.
inline std::string shown(std::string_view text, std::size_t longest) {
    return printable(text.substr(0, longest)) + (text.size() > longest ? "…" : "");
}

}  // namespace schedfarm::models::trace
