#pragma once

namespace schedfarm::models::trace {

// Letters of ASCII, whatever the locale says.

constexpr char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

constexpr bool is_letter(char c) {
    return lower(c) >= 'a' && lower(c) <= 'z';
}

}  // namespace schedfarm::models::trace
