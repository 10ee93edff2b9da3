// Numbers of a log. The common ones, −1 and up to eight digits, are read without a loop, eight
// characters as one word (D. Lemire, "Quickly parsing eight digits", 2018); all others by
// parse_number().
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace schedfarm::models::trace {

static_assert(
    std::endian::native == std::endian::little, "the first digit must be the lowest byte"
);

/// The value of a decimal number ("12", "-1", "142.00", "1.5e3"), correctly rounded; absent for
/// anything else and for magnitudes above 1e15.
std::optional<double> parse_number(std::string_view token);

/// The eight characters from `text` on, the first in the lowest byte.
inline std::uint64_t eight_characters(const char* text) {
    std::uint64_t word = 0;
    std::memcpy(&word, text, sizeof word);
    return word;
}

/// The value of the first `length` characters of the word if all of them are digits, else −1.
/// REQUIRES: 1 <= length <= 8.
inline std::int64_t short_number(std::uint64_t word, std::size_t length) {
    std::uint64_t digits = (word ^ 0x3030303030303030U) << (64 - 8 * length);
    // Above 9, adding 0x76 sets the high bit of the byte.
    if ((((digits + 0x7676767676767676U) | digits) & 0x8080808080808080U) != 0) [[unlikely]] {
        return -1;
    }
    digits = digits * 10 + (digits >> 8);  // pairs, in every other byte
    constexpr std::uint64_t pairs = 0x000000ff000000ffU;
    digits = ((digits & pairs) * (100 + (std::uint64_t{1000000} << 32))
              + ((digits >> 16) & pairs) * (1 + (std::uint64_t{10000} << 32)))
             >> 32;
    return static_cast<std::int64_t>(digits & 0xffffffffU);
}

}  // namespace schedfarm::models::trace
