// The changes of StepFunction.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "engine/planning/profile/step_function.hpp"
#include "engine/planning/profile/step_lanes.hpp"

namespace schedfarm::engine {

namespace {

constexpr std::size_t block = StepFunction::block;

/// Stretches and where they go.
struct Copy {
    const double* times;
    const std::int32_t* values;
    double* new_times;
    std::int32_t* new_values;
    std::size_t count;
};

/// From each of some times on, in their order, an amount is added, up to the next; the last is 0.
template <std::size_t n>
struct Changes {
    std::array<double, n> from;
    std::array<std::int32_t, n> amounts;
};

/// Stretches that stay together where changes are made: part k begins at from[k], goes to to[k],
/// and there begins at begins[k].
template <std::size_t parts>
struct Parts {
    std::array<std::size_t, parts> from{};
    std::array<std::size_t, parts> to{};
    std::array<double, parts> begins{};
    std::array<std::int32_t, parts> amounts{};
    std::size_t count = 0;  ///< of all stretches, changed
};

// Without branches, which would often be guessed wrong.
/// The parts between changes, of which so many stretches begin before each. A step of a change
/// comes in, or is there already; or goes, because there is none any more.
template <std::size_t n>
inline Parts<n + 1> parts_between(
    const Copy& all, const Changes<n>& changes, const Counts<n>& before
) {
    Parts<n + 1> parts;
    parts.begins[0] = all.times[0];
#pragma GCC unroll 4
    for (std::size_t k = 0; k < n; ++k) {
        const std::size_t end = before[k];
        const std::size_t ahead = end - (end > 0 ? 1U : 0U);
        const std::int32_t step = changes.amounts[k] - parts.amounts[k];
        const bool is_there = all.times[end] == changes.from[k];
        const bool is_level = all.values[ahead] == all.values[end] + step;
        const bool goes = is_there & is_level & (end > 0) & (end < all.count);
        const std::size_t next = end - (is_there ? 0U : 1U) + (goes ? 1U : 0U);
        parts.from[k + 1] = next;
        parts.to[k + 1] = parts.to[k] + end - parts.from[k];
        parts.begins[k + 1] = std::max(all.times[next], changes.from[k]);
        parts.amounts[k + 1] = changes.amounts[k];
    }
    parts.count = parts.to[n] + all.count - parts.from[n];
    return parts;
}

// Whole blocks: what lies behind is overwritten.
template <std::size_t n>
inline void copy_parts(const Copy& all, const Parts<n>& parts) {
    for (std::size_t k = 0; k < n; ++k) {
        const std::size_t end = k + 1 < n ? parts.to[k + 1] : parts.count + block;
        const double* const times = all.times + parts.from[k];
        const std::int32_t* const values = all.values + parts.from[k];
        double* const new_times = all.new_times + parts.to[k];
        std::int32_t* const new_values = all.new_values + parts.to[k];
        for (std::size_t i = 0; i < end - parts.to[k]; i += block) {
            std::memcpy(new_times + i, times + i, block * sizeof(double));
            for (std::size_t j = i; j < i + block; ++j) {
                new_values[j] = values[j] + parts.amounts[k];
            }
        }
        new_times[0] = parts.begins[k];
    }
}

#if SCHEDFARM_CPU_DISPATCH

// The same in one go over all blocks: each is taken from where every part would have it, of which
// the right one is chosen.

template <std::size_t n>
SCHEDFARM_AVX2 inline void copy_parts_avx2(const Copy& all, const Parts<n>& parts) {
    const __m256i lanes = _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0);
    for (std::size_t i = 0; i < parts.count + block; i += 8) {
        const __m256i places = _mm256_add_epi32(lanes, _mm256_set1_epi32(static_cast<int>(i)));
        __m256d low = _mm256_loadu_pd(all.times + i);
        __m256d high = _mm256_loadu_pd(all.times + i + 4);
        __m256i values = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(all.values + i));
#pragma GCC unroll 4
        for (std::size_t k = 1; k < n; ++k) {
            const auto from = static_cast<std::ptrdiff_t>(i + parts.from[k] - parts.to[k]);
            const __m256i last_out = _mm256_set1_epi32(static_cast<int>(parts.to[k]) - 1);
            const __m256i is_in = _mm256_cmpgt_epi32(places, last_out);
            const __m256i low_is_in = _mm256_cvtepi32_epi64(_mm256_castsi256_si128(is_in));
            const __m256i high_is_in = _mm256_cvtepi32_epi64(_mm256_extracti128_si256(is_in, 1));
            const __m256d low_there = _mm256_maskload_pd(all.times + from, low_is_in);
            const __m256d high_there = _mm256_maskload_pd(all.times + from + 4, high_is_in);
            const __m256i there = _mm256_maskload_epi32(all.values + from, is_in);
            const __m256i changed = _mm256_add_epi32(there, _mm256_set1_epi32(parts.amounts[k]));
            low = _mm256_blendv_pd(low, low_there, _mm256_castsi256_pd(low_is_in));
            high = _mm256_blendv_pd(high, high_there, _mm256_castsi256_pd(high_is_in));
            values = _mm256_blendv_epi8(values, changed, is_in);
        }
        _mm256_storeu_pd(all.new_times + i, low);
        _mm256_storeu_pd(all.new_times + i + 4, high);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(all.new_values + i), values);
    }
#pragma GCC unroll 4
    for (std::size_t k = 1; k < n; ++k) {
        all.new_times[parts.to[k]] = parts.begins[k];
    }
}

#endif

/// Where a copy of each part costs less than the search for it in vectors.
constexpr std::size_t many = 512;

template <std::size_t n>
std::size_t change_many(const Copy& all, const Changes<n>& changes) {
    const auto before = plain::count_before(all.times, all.count, changes.from);
    const auto parts = parts_between(all, changes, before);
    copy_parts(all, parts);
    return parts.count;
}

// Ways of a template would not be told apart, so those for two and for four changes are written.
#if SCHEDFARM_CPU_DISPATCH
SCHEDFARM_AVX2 std::size_t change_steps(const Copy& all, const Changes<2>& changes) {
    const auto before = avx2::count_before(all.times, all.count, changes.from);
    const auto parts = parts_between(all, changes, before);
    copy_parts_avx2(all, parts);
    return parts.count;
}

SCHEDFARM_AVX2 std::size_t change_steps(const Copy& all, const Changes<4>& changes) {
    const auto before = avx2::count_before(all.times, all.count, changes.from);
    const auto parts = parts_between(all, changes, before);
    copy_parts_avx2(all, parts);
    return parts.count;
}
#endif

SCHEDFARM_ANY_PROCESSOR std::size_t change_steps(const Copy& all, const Changes<2>& changes) {
    return change_many(all, changes);
}

SCHEDFARM_ANY_PROCESSOR std::size_t change_steps(const Copy& all, const Changes<4>& changes) {
    return change_many(all, changes);
}

}  // namespace

template <std::size_t n>
void StepFunction::change(
    const std::array<double, n>& from, const std::array<std::int32_t, n>& amounts
) {
    Columns& next = columns_[1 - current_];
    next.make_room(count_);
    const Copy all{times(), values(), next.times.data(), next.values.data(), count_};
    const Changes<n> changes{from, amounts};
    count_ = count_ > many ? change_many(all, changes) : change_steps(all, changes);
    current_ = 1 - current_;
    front_ = 0;
}

void StepFunction::add(double begin, double end, std::int32_t amount) {
    change<2>({begin, end}, {amount, 0});
}

// In one go if its steps are four.
void StepFunction::move_ahead(const StepMove& move, std::int32_t amount) {
    if (move.end == move.old_begin || move.end == move.old_end) {
        add(move.old_begin, move.old_end, -amount);
        add(move.begin, move.end, amount);
        return;
    }
    const double first_end = std::min(move.end, move.old_begin);
    const double last_begin = std::max(move.end, move.old_begin);
    change<4>({move.begin, first_end, last_begin, move.old_end}, {amount, 0, -amount, 0});
}

}  // namespace schedfarm::engine
