// Where the separators of a row are, found in vectors where the processor is known to have them.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/foundation/vector_intrinsics.hpp"

namespace schedfarm::models::trace {

/// Calls found (place) for each place of the character. Cells are short: a mask of 16 characters
/// takes half the time of a search from each to the next.
template <typename Function>
void for_each_place(std::string_view text, char character, Function found) {
    std::size_t at = 0;
#if SCHEDFARM_CPU_DISPATCH
    const __m128i wanted = _mm_set1_epi8(character);  // SSE2, which x86-64 always has
    for (; at + 16 <= text.size(); at += 16) {
        const __m128i some = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + at));
        auto mask = static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(some, wanted)));
        for (; mask != 0; mask &= mask - 1) {
            found(at + static_cast<std::size_t>(std::countr_zero(mask)));
        }
    }
#endif
    for (; at < text.size(); ++at) {
        if (text[at] == character) {
            found(at);
        }
    }
}

}  // namespace schedfarm::models::trace
