// Numbers of a log. The common ones, −1 and up to eight characters, are read without a loop, eight
// characters as one word (D. Lemire, "Quickly parsing eight digits", 2018); all others by
// parse_number().
#pragma once

#include <array>
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

/// The value of the first `length` characters of the word if they are digits and one point,
/// correctly rounded (a quotient of exact numbers), else −1. REQUIRES: 1 <= length <= 8.
inline double short_decimal(std::uint64_t word, std::size_t length) {
    constexpr std::array<double, 8> powers{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7};
    const std::uint64_t points = word ^ 0x2e2e2e2e2e2e2e2eU;
    // The lowest bit set marks the first byte that is 0.
    const std::uint64_t found = (points - 0x0101010101010101U) & ~points & 0x8080808080808080U;
    const std::size_t point = static_cast<std::size_t>(std::countr_zero(found)) / 8;
    if (point >= length || length == 1) {
        return -1;
    }
    const std::uint64_t before = (std::uint64_t{1} << (8 * point)) - 1;
    const std::int64_t digits = short_number((word & before) | ((word >> 8) & ~before), length - 1);
    return digits < 0 ? -1 : static_cast<double>(digits) / powers[length - 1 - point];
}

}  // namespace schedfarm::models::trace
