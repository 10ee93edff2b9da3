// Where the blanks of a piece of text are, 64 characters at a time: bit i stands for text[i].
// Blank are space, \t, \n, \v, \f and \r.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace schedfarm::models::trace {

constexpr bool is_blank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/// The readable form, and that of machines without SSE2. REQUIRES: 64 readable characters.
inline std::uint64_t blanks_by_character(const char* text) {
    std::uint64_t mask = 0;
    for (std::size_t i = 0; i < 64; ++i) {
        mask |= std::uint64_t{is_blank(text[i])} << i;
    }
    return mask;
}

inline std::uint64_t blanks(const char* text) {
#if defined(__SSE2__)
    const __m128i space = _mm_set1_epi8(' ');
    const __m128i tab = _mm_set1_epi8('\t');
    const __m128i others = _mm_set1_epi8('\r' - '\t');
    std::uint64_t mask = 0;
    for (std::size_t part = 0; part < 4; ++part) {
        const __m128i c = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + 16 * part));
        const __m128i above_tab = _mm_sub_epi8(c, tab);  // unsigned: below the tab wraps to large
        const __m128i is_other = _mm_cmpeq_epi8(_mm_min_epu8(above_tab, others), above_tab);
        const __m128i is_any = _mm_or_si128(_mm_cmpeq_epi8(c, space), is_other);
        mask |= std::uint64_t{static_cast<std::uint32_t>(_mm_movemask_epi8(is_any))} << (16 * part);
    }
    return mask;
#else
    return blanks_by_character(text);
#endif
}

}  // namespace schedfarm::models::trace
