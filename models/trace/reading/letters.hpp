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

/// With '?' for all that is not ASCII and seen: one character may hide several bytes, and logs hold
/// anything.
inline std::string printable(std::string_view text) {
    std::string result(text);
    std::replace_if(
        result.begin(), result.end(), [](char c) { return c < ' ' || c > '~'; }, '?'
    );
    return result;
}

}  // namespace schedfarm::models::trace
