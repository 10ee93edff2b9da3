// What the arrays of a step function are asked in all lanes of vectors at once, by ways for
// AVX2 and any processor (engine/foundation/cpu_dispatch.hpp), to become part of functions
// for them. All answer alike.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/foundation/vector_intrinsics.hpp"

namespace schedfarm::engine {

/// How many of some sorted times are before each of some limits.
template <std::size_t n>
using Counts = std::array<std::size_t, n>;

// count_before() REQUIRES: beyond the last time are seven more, not before any limit.
// Cost: O(count), in vectors; plain O(log count) for each limit.
//
// lanes_less_than(), less_than(): bit i tells of value i < 16, < 64, whether it is less than the
// level.

#if SCHEDFARM_CPU_DISPATCH

namespace avx2 {

template <std::size_t n>
SCHEDFARM_AVX2 inline Counts<n> count_before(
    const double* times, std::size_t count, const std::array<double, n>& limits
) {
    __m256i minus[n] = {};  // NOLINT(*-c-arrays); of each lane: what is before is all ones, −1
    for (std::size_t i = 0; i < count; i += 4) {
        const __m256d some = _mm256_loadu_pd(times + i);
#pragma GCC unroll 4
        for (std::size_t k = 0; k < n; ++k) {
            const __m256d is_before = _mm256_cmp_pd(some, _mm256_set1_pd(limits[k]), _CMP_LT_OQ);
            minus[k] = _mm256_add_epi64(minus[k], _mm256_castpd_si256(is_before));
        }
    }
    Counts<n> found;
    for (std::size_t k = 0; k < n; ++k) {
        const __m128i high = _mm256_extracti128_si256(minus[k], 1);
        const __m128i two = _mm_add_epi64(_mm256_castsi256_si128(minus[k]), high);
        const __m128i one = _mm_add_epi64(two, _mm_unpackhi_epi64(two, two));
        found[k] = static_cast<std::size_t>(-_mm_cvtsi128_si64(one));
    }
    return found;
}

SCHEDFARM_AVX2 inline std::uint32_t lanes_less_than(
    const std::int32_t* values, std::int32_t level
) {
    const __m256i limit = _mm256_set1_epi32(level);
    const auto* const from = reinterpret_cast<const __m256i*>(values);
    const __m256i low = _mm256_cmpgt_epi32(limit, _mm256_loadu_si256(from));
    const __m256i high = _mm256_cmpgt_epi32(limit, _mm256_loadu_si256(from + 1));
    const int low_bits = _mm256_movemask_ps(_mm256_castsi256_ps(low));
    const int high_bits = _mm256_movemask_ps(_mm256_castsi256_ps(high));
    return static_cast<std::uint32_t>(low_bits | high_bits << 8);
}

SCHEDFARM_AVX2 inline std::uint64_t less_than(const std::int32_t* values, std::int32_t level) {
    std::uint64_t found = 0;
#pragma GCC unroll 4
    for (std::size_t i = 0; i < 64; i += 16) {
        found |= std::uint64_t{lanes_less_than(values + i, level)} << i;
    }
    return found;
}

}  // namespace avx2

#endif

namespace plain {

template <std::size_t n>
inline Counts<n> count_before(
    const double* times, std::size_t count, const std::array<double, n>& limits
) {
    Counts<n> found{};
    for (std::size_t k = 0; k < n; ++k) {
        found[k] =
            static_cast<std::size_t>(std::lower_bound(times, times + count, limits[k]) - times);
    }
    return found;
}

inline std::uint32_t lanes_less_than(const std::int32_t* values, std::int32_t level) {
    std::uint32_t found = 0;
#if SCHEDFARM_CPU_DISPATCH
    const __m128i limit = _mm_set1_epi32(level);  // SSE2, which x86-64 always has
    for (int i = 0; i < 16; i += 4) {
        const __m128i some = _mm_loadu_si128(reinterpret_cast<const __m128i*>(values + i));
        const int lanes = _mm_movemask_ps(_mm_castsi128_ps(_mm_cmplt_epi32(some, limit)));
        found |= static_cast<std::uint32_t>(lanes) << i;
    }
#else
    for (int i = 0; i < 16; ++i) {
        found |= std::uint32_t{values[i] < level ? 1U : 0U} << i;
    }
#endif
    return found;
}

inline std::uint64_t less_than(const std::int32_t* values, std::int32_t level) {
    std::uint64_t found = 0;
#pragma GCC unroll 4
    for (std::size_t i = 0; i < 64; i += 16) {
        found |= std::uint64_t{lanes_less_than(values + i, level)} << i;
    }
    return found;
}

}  // namespace plain

}  // namespace schedfarm::engine
