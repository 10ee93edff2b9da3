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

/// The first `length` characters of the word, changed so that a digit d is 16 + d, in the highest
/// bytes, behind zeros; no character but a space becomes 0. Any length may be asked for; beyond 1
/// to 8 the result means nothing.
constexpr std::uint64_t digits_of(std::uint64_t word, std::size_t length) {
    return (word ^ 0x2020202020202020U) << ((64 - 8 * length) & 63U);
}

/// What digits_of() was made of, in the first bytes. REQUIRES: 1 <= length <= 8.
constexpr std::uint64_t characters_of(std::uint64_t digits, std::size_t length) {
    return (digits >> (64 - 8 * length)) ^ 0x2020202020202020U;
}

/// 0 where all are digits, or zeros before them.
constexpr std::uint64_t bits_of_others(std::uint64_t digits) {
    const std::uint64_t values = digits & 0x0f0f0f0f0f0f0f0fU;
    const std::uint64_t above_9 = values + 0x0606060606060606U;
    const std::uint64_t above_0 = values + 0x0f0f0f0f0f0f0f0fU;
    return ((above_9 | (above_0 & ~digits)) & 0x1010101010101010U) | (digits & 0xe0e0e0e0e0e0e0e0U);
}

/// The number of these digits. Products by shifts, for vectors of words have no fast ones.
constexpr std::uint64_t number_of_digits(std::uint64_t digits) {
    const std::uint64_t values = digits & 0x0f0f0f0f0f0f0f0fU;
    const std::uint64_t tens = (values << 3) + (values << 1) + (values >> 8);
    const std::uint64_t pairs = tens & 0x00ff00ff00ff00ffU;
    const std::uint64_t hundreds = (pairs << 6) + (pairs << 5) + (pairs << 2) + (pairs >> 16);
    const std::uint64_t first_four = hundreds & 0xffffU;
    return (first_four << 13) + (first_four << 11) - (first_four << 8) + (first_four << 4)
           + (hundreds >> 32 & 0xffffU);
}

/// The value of the first `length` characters of the word if all of them are digits, else −1.
/// REQUIRES: 1 <= length <= 8.
inline std::int64_t short_number(std::uint64_t word, std::size_t length) {
    const std::uint64_t digits = digits_of(word, length);
    constexpr std::uint64_t marks = 0x1010101010101010U;
    const bool are_as_many = (digits & marks) == marks << (64 - 8 * length);  // no space is there
    return are_as_many && bits_of_others(digits) == 0
               ? static_cast<std::int64_t>(number_of_digits(digits))
               : -1;
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
