#include "models/trace/reading/usual_lines.hpp"

#include <array>
#include <bit>

#include "engine/foundation/cpu_dispatch.hpp"

#include "models/trace/reading/blanks.hpp"

namespace schedfarm::models::trace {

namespace {

constexpr std::size_t longest_line = 127;

/// Places in a line of at most 127 characters; a few more are written than there are.
using Places = std::array<std::size_t, longest_line + 1 + 16>;

/// Writes where bits are set; returns the end. Eight at a time, so that their number hardly costs a
/// branch.
inline std::size_t* put_places(std::uint64_t bits, std::size_t offset, std::size_t* to) {
    constexpr std::uint64_t highest = std::uint64_t{1} << 63;
    std::size_t* const end = to + std::popcount(bits);
    do {
        for (std::size_t i = 0; i < 8; ++i) {
            // The highest bit is for those that are not there: no branch tells them.
            to[i] = static_cast<std::size_t>(std::countr_zero(bits | highest)) + offset;
            bits &= bits - 1;
        }
        to += 8;
    } while (bits != 0);
    return end;
}

/// Where tokens begin and, in turns, where the blanks behind them do; returns the end.
inline std::size_t* put_bounds(const char* line, std::size_t length, std::size_t* to) {
    const std::uint64_t is_long = 0 - std::uint64_t{length / 64};  // all bits or none
    const std::uint64_t last_part = (std::uint64_t{1} << length % 64) - 1;
    const std::uint64_t low = ~blanks(line) & (last_part | is_long);
    const std::uint64_t high = ~blanks(line + 64) & (last_part & is_long);
    to = put_places(low ^ low << 1, 0, to);
    return put_places(high ^ (high << 1 | low >> 63), 64, to);
}

}  // namespace

SCHEDFARM_BIT_CLONES
bool split_usual_line(const char* line, std::size_t length, JobBatch& batch) {
    Places places;  // NOLINT(*-member-init): filled as far as used
    if (length > longest_line) {
        return false;
    }
    const std::size_t* const end = put_bounds(line, length, places.data());
    if (end != places.data() + 2 * field_count || line[places[0]] == ';') {
        return false;
    }
    const std::size_t row = batch.count;
    std::size_t lengths = 0;
#pragma GCC unroll 18
    for (std::size_t i = 0; i < field_count; ++i) {
        const std::size_t begin = places[2 * i];
        const std::size_t token = places[2 * i + 1] - begin;
        lengths |= token - 1;
        batch.words[i][row] = digits_of(eight_characters(line + begin), token);
        batch.lengths[i][row] = static_cast<std::uint8_t>(token);
    }
    return lengths < 8;
}

SCHEDFARM_VECTOR_CLONES
bool convert_words(const std::uint64_t* words, std::size_t count, double* values) {
    std::uint64_t unusual = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t word = words[i];
        unusual |= unusual_bits(word);
        // Below 2^52: the fraction of a number from 2^52 on.
        constexpr std::uint64_t exponent = 0x4330000000000000U;
        const double value = std::bit_cast<double>(number_of_digits(word) | exponent) - 0x1p52;
        values[i] = word == minus_one ? -1 : value;
    }
    return unusual != 0;
}

SCHEDFARM_VECTOR_CLONES
bool has_unusual_words(const std::uint64_t* words, std::size_t count) {
    std::uint64_t unusual = 0;
    for (std::size_t i = 0; i < count; ++i) {
        unusual |= unusual_bits(words[i]);
    }
    return unusual != 0;
}

}  // namespace schedfarm::models::trace
