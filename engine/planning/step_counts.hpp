// How many of a sorted array of times are before some others: with AVX-512, to become part of
// functions for processors that have it, and without. Both give the same counts.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#if defined(__x86_64__)
// GCC 12 warns of its own _mm512_undefined_epi32 (GCC bug 105593).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#include <immintrin.h>
#pragma GCC diagnostic pop
#endif

namespace schedfarm::engine {

/// How many of the times are before each of some.
template <std::size_t n>
using Counts = std::array<std::size_t, n>;

#if defined(__x86_64__)
/// Cost: O(count), eight at a time. REQUIRES: beyond the last are seven more, not before any limit.
template <std::size_t n>
[[gnu::target("avx512f,popcnt")]] inline Counts<n> count_lanes_before(
    const double* times, std::size_t count, const std::array<double, n>& limits
) {
    Counts<n> found{};
    for (std::size_t i = 0; i < count; i += 8) {
        const __m512d some = _mm512_loadu_pd(times + i);
        for (std::size_t k = 0; k < n; ++k) {
            const __m512d limit = _mm512_set1_pd(limits[k]);
            const __mmask8 is_before = _mm512_cmp_pd_mask(some, limit, _CMP_LT_OQ);
            found[k] += static_cast<std::size_t>(__builtin_popcount(is_before));
        }
    }
    return found;
}

#endif

/// Cost: O(log count) each.
template <std::size_t n>
inline Counts<n> count_each_before(
    const double* times, std::size_t count, const std::array<double, n>& limits
) {
    Counts<n> found{};
    for (std::size_t k = 0; k < n; ++k) {
        found[k] =
            static_cast<std::size_t>(std::lower_bound(times, times + count, limits[k]) - times);
    }
    return found;
}

}  // namespace schedfarm::engine
