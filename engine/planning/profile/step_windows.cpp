// Many windows of StepFunction at once: each lane of a vector goes through the stretches with a
// window of its own, without a branch that depends on one of them.
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "engine/foundation/special_values.hpp"
#include "engine/foundation/vector_intrinsics.hpp"
#include "engine/planning/profile/step_function.hpp"

namespace schedfarm::engine {

namespace {

constexpr std::int32_t beyond_any_value = std::numeric_limits<std::int32_t>::max();

/// Stretches from the one in which windows may begin on, and what is wanted of them.
struct Search {
    const StepFunction& steps;
    const double* times;  ///< at which the stretches begin; beyond the last: never
    const std::int32_t* values;
    const StepWindows& wanted;
};

// In a lane, the window that reaches up to here goes from `begin` to `end`, anew behind a stretch
// that lacks the level; it is found where a stretch does not end before it. What begins at or after
// `before` or `until` is dropped in the end, being later than any that counts.
#if SCHEDFARM_CPU_DISPATCH
SCHEDFARM_AVX512 FoundWindow first_window_of(const Search& search, std::size_t first) {
    constexpr std::size_t lanes = 8;
    const auto& [steps, times, values, wanted] = search;
    const __m512d no_time = _mm512_set1_pd(never);
    const __m512d before = _mm512_set1_pd(wanted.before);
    const __m512i no_level = _mm512_set1_epi32(beyond_any_value);
    for (std::size_t i = first; i < wanted.size(); i += lanes) {
        const std::size_t missing = lanes - std::min(lanes, wanted.size() - i);
        const auto some = static_cast<__mmask8>(0xffU >> missing);
        const __m512i levels = _mm512_mask_loadu_epi32(no_level, some, wanted.levels() + i);
        const __m512d durations = _mm512_maskz_loadu_pd(some, wanted.durations() + i);
        const __m512d untils = _mm512_maskz_loadu_pd(some, wanted.untils() + i);
        const double last = _mm512_mask_reduce_max_pd(some, untils);
        __m512d begin = _mm512_set1_pd(std::max(times[0], wanted.from));
        __m512d found = no_time;
        for (std::size_t k = 0; times[k] < last; ++k) {
            if (times[k] >= wanted.before
                && _mm512_cmp_pd_mask(begin, _mm512_min_pd(before, found), _CMP_LT_OQ) == 0) {
                break;
            }
            const __m512i value = _mm512_set1_epi32(values[k]);
            const auto enough = static_cast<__mmask8>(_mm512_cmple_epi32_mask(levels, value));
            const __m512d next = _mm512_set1_pd(times[k + 1]);
            const __m512d end = _mm512_min_pd(_mm512_add_pd(begin, durations), untils);
            const __mmask8 fits = _mm512_mask_cmp_pd_mask(enough, end, next, _CMP_LE_OQ);
            found = _mm512_mask_min_pd(found, fits, found, begin);
            begin = _mm512_mask_mov_pd(next, enough, begin);
        }
        const __m512d latest = _mm512_min_pd(untils, before);
        const std::uint32_t in_time = _mm512_mask_cmp_pd_mask(some, found, latest, _CMP_LT_OQ);
        if (in_time != 0) {
            std::array<double, lanes> all;
            _mm512_storeu_pd(all.data(), found);
            const auto lane = static_cast<std::size_t>(std::countr_zero(in_time));
            return {i + lane, all[lane]};
        }
    }
    return {};
}

SCHEDFARM_AVX2 FoundWindow first_window_of(const Search& search, std::size_t first) {
    constexpr std::size_t lanes = 4;
    const auto& [steps, times, values, wanted] = search;
    const __m256d no_time = _mm256_set1_pd(never);
    const __m256d before = _mm256_set1_pd(wanted.before);
    for (std::size_t i = first; i < wanted.size(); i += lanes) {
        const std::size_t count = std::min(lanes, wanted.size() - i);
        std::array<double, lanes> some_levels{};
        std::array<double, lanes> some_durations{};
        std::array<double, lanes> some_untils{};
        some_levels.fill(beyond_any_value);
        some_untils.fill(-never);
        std::copy_n(wanted.levels() + i, count, some_levels.begin());
        std::copy_n(wanted.durations() + i, count, some_durations.begin());
        std::copy_n(wanted.untils() + i, count, some_untils.begin());
        const __m256d levels = _mm256_loadu_pd(some_levels.data());
        const __m256d durations = _mm256_loadu_pd(some_durations.data());
        const __m256d untils = _mm256_loadu_pd(some_untils.data());
        const double last = *std::max_element(some_untils.begin(), some_untils.end());
        __m256d begin = _mm256_set1_pd(std::max(times[0], wanted.from));
        __m256d found = no_time;
        for (std::size_t k = 0; times[k] < last; ++k) {
            if (times[k] >= wanted.before
                && _mm256_movemask_pd(_mm256_cmp_pd(begin, _mm256_min_pd(before, found), _CMP_LT_OQ)
                   ) == 0) {
                break;
            }
            const __m256d value = _mm256_set1_pd(values[k]);
            const __m256d enough = _mm256_cmp_pd(levels, value, _CMP_LE_OQ);
            const __m256d next = _mm256_set1_pd(times[k + 1]);
            const __m256d end = _mm256_min_pd(_mm256_add_pd(begin, durations), untils);
            const __m256d is_long = _mm256_cmp_pd(end, next, _CMP_LE_OQ);
            const __m256d fits = _mm256_and_pd(enough, is_long);
            found = _mm256_blendv_pd(found, _mm256_min_pd(found, begin), fits);
            begin = _mm256_blendv_pd(next, begin, enough);
        }
        const __m256d latest = _mm256_min_pd(untils, before);
        const int in_time = _mm256_movemask_pd(_mm256_cmp_pd(found, latest, _CMP_LT_OQ));
        if (in_time != 0) {
            std::array<double, lanes> all{};
            _mm256_storeu_pd(all.data(), found);
            const auto lane =
                static_cast<std::size_t>(std::countr_zero(static_cast<std::uint32_t>(in_time)));
            return {i + lane, all[lane]};
        }
    }
    return {};
}
#endif

SCHEDFARM_ANY_PROCESSOR FoundWindow first_window_of(const Search& search, std::size_t first) {
    for (std::size_t i = first; i < search.wanted.size(); ++i) {
        const StepWindow one = search.wanted[i];
        const double begin = one.is_there_time() ? search.steps.first_window(one) : never;
        if (begin < never) {
            return {i, begin};
        }
    }
    return {};
}

}  // namespace

FoundWindow StepFunction::first_of(const StepWindows& wanted, std::size_t first) const {
    const std::size_t begin = stretch_at(wanted.from);
    return first_window_of({*this, times() + begin, values() + begin, wanted}, first);
}

}  // namespace schedfarm::engine
