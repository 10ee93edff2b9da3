// The hot loops of reading a log. A usual line has 18 numbers of at most eight characters and at
// most 127 characters in all. Where its tokens begin and end is found by bit masks of its blanks,
// so that neither spacing nor the lengths of numbers cost a branch; the tokens become words, and
// words become numbers column by column, by vector instructions. Tests compare with a plain
// reading.
#pragma once

#include <cstddef>
#include <cstdint>

#include "models/trace/job_batch.hpp"
#include "models/trace/reading/number.hpp"

namespace schedfarm::models::trace {

/// Characters that must be readable behind a line.
inline constexpr std::size_t line_padding = 136;

/// Splits a usual line into the words of the batch's row `count`. False where the line is not usual
/// or a comment; the row then holds nothing of use. REQUIRES: '\n' follows the line.
bool split_usual_line(const char* line, std::size_t length, JobBatch& batch);

/// The word of "-1".
inline constexpr std::uint64_t minus_one = digits_of('-' | '1' << 8, 2);

/// 0 where the word is of digits only, or "-1".
constexpr std::uint64_t unusual_bits(std::uint64_t word) {
    return word == minus_one ? 0 : bits_of_others(word);
}

/// A word of up to eight digits becomes their value, "-1" becomes −1, any other something that
/// means nothing. Returns whether there are others.
bool convert_words(const std::uint64_t* words, std::size_t count, double* values);

/// Whether there are such others.
bool has_unusual_words(const std::uint64_t* words, std::size_t count);

}  // namespace schedfarm::models::trace
