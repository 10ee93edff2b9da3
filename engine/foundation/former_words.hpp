// Words that files of before have for a quantity that is called otherwise now: `queueing_time` was
// the wait. Campaigns may still say so, and result files of schema 1 do. And how far a word is from
// one that somebody may have meant. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace schedfarm::engine {

/// The text with today's words in place of former ones, where they stand as whole words:
/// "queueing_time.mean / service_time.mean" → "wait.mean / service_time.mean".
std::string with_current_words(std::string text);

/// By which keys of cells and plans know a column: its first word, so that a journal goes on with
/// a program that has a new one. "wait.mean" → "queueing_time.mean".
std::string lasting_name(std::string column);

/// Restricted Damerau–Levenshtein distance in O(|a| |b|).
std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace schedfarm::engine
