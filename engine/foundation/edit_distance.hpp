// How far a word is from one that somebody may have meant. Pure.
#pragma once

#include <cstddef>
#include <string_view>

namespace schedfarm::engine {

/// Restricted Damerau–Levenshtein distance in O(|a| |b|).
std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace schedfarm::engine
