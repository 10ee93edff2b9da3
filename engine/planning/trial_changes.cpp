#include "engine/planning/trial_changes.hpp"

#include <algorithm>

#include "engine/foundation/special_values.hpp"
#include "engine/foundation/vector_intrinsics.hpp"

namespace schedfarm::engine {

namespace {

using Block = TrialProfile::Block;

constexpr std::size_t block = TrialProfile::block;

#if SCHEDFARM_VECTOR_WAYS

SCHEDFARM_AVX512 inline std::uint32_t lanes_before(const Block& some, __m512d time) {
    const __m512d low = _mm512_load_pd(some.times.data());
    const __m512d high = _mm512_load_pd(some.times.data() + block / 2);
    return _mm512_cmp_pd_mask(low, time, _CMP_LT_OQ)
           | static_cast<std::uint32_t>(_mm512_cmp_pd_mask(high, time, _CMP_LT_OQ)) << 8;
}

SCHEDFARM_AVX512 inline std::uint32_t lanes_at(const Block& some, __m512d time) {
    const __m512d low = _mm512_load_pd(some.times.data());
    const __m512d high = _mm512_load_pd(some.times.data() + block / 2);
    return _mm512_cmp_pd_mask(low, time, _CMP_EQ_OQ)
           | static_cast<std::uint32_t>(_mm512_cmp_pd_mask(high, time, _CMP_EQ_OQ)) << 8;
}

SCHEDFARM_AVX512 TrialSteps add(Block* blocks, std::size_t count, const TrialAddition& addition) {
    const __m512d begin = _mm512_set1_pd(addition.begin);
    const __m512d end = _mm512_set1_pd(addition.end);
    const __m512i amount = _mm512_set1_epi32(addition.amount);
    std::uint32_t at_begin = 0;
    std::uint32_t at_end = 0;
    for (std::size_t i = 0; i < count; ++i) {
        Block& some = blocks[i];
        const std::uint32_t lanes = ~lanes_before(some, begin) & lanes_before(some, end);
        at_begin |= lanes_at(some, begin);
        at_end |= lanes_at(some, end);
        const __m512i values = _mm512_load_si512(some.values.data());
        _mm512_store_si512(
            some.values.data(),
            _mm512_mask_add_epi32(values, static_cast<__mmask16>(lanes), values, amount)
        );
    }
    return {at_begin != 0, at_end != 0};
}

SCHEDFARM_AVX512 inline bool has_step(const Block* blocks, std::size_t count, double time) {
    const __m512d wanted = _mm512_set1_pd(time);
    std::uint32_t found = 0;
    for (std::size_t i = 0; i < count; ++i) {
        found |= lanes_at(blocks[i], wanted);
    }
    return found != 0;
}

SCHEDFARM_AVX512 bool insert(const TrialBlocks& blocks, const TrialInsertion& what) {
    const bool has_end = has_step(blocks.from, blocks.count, what.end);
    const __m512d end = _mm512_set1_pd(what.end);
    const __m512d inserted =
        _mm512_mask_mov_pd(end, static_cast<__mmask8>(has_end ? 0xff : 0), _mm512_set1_pd(never));
    const __m512i amount = _mm512_set1_epi32(what.amount);
    const std::uint32_t shifts = std::uint32_t{has_end ? 1U : 0U} - 1;
    __m512i last_times = _mm512_castpd_si512(_mm512_set1_pd(-never));
    __m512i last_values = _mm512_setzero_si512();
    for (std::size_t i = 0; i < blocks.count; ++i) {
        const Block& from = blocks.from[i];
        Block& to = blocks.to[i];
        const std::uint32_t before = lanes_before(from, end);
        const __m512d low = _mm512_load_pd(from.times.data());
        const __m512d high = _mm512_load_pd(from.times.data() + block / 2);
        const __m512i values = _mm512_load_si512(from.values.data());
        const std::size_t skipped = what.first - std::min(what.first, i * block);
        const std::uint64_t taken = ~std::uint64_t{0} << std::min(skipped, std::size_t{63});
        const auto changed = static_cast<__mmask16>(before & taken);
        const auto shifted = static_cast<__mmask16>(~before & shifts);
        const __m512i low_ahead = _mm512_alignr_epi64(_mm512_castpd_si512(low), last_times, 7);
        const __m512i high_ahead =
            _mm512_alignr_epi64(_mm512_castpd_si512(high), _mm512_castpd_si512(low), 7);
        const __m512i values_ahead = _mm512_alignr_epi32(values, last_values, 15);
        __m512i result = _mm512_mask_add_epi32(values, changed, values, amount);
        result = _mm512_mask_mov_epi32(result, shifted, values_ahead);
        // Each place gets the middle one of two neighbours and what comes in.
        const __m512d low_last = _mm512_max_pd(_mm512_castsi512_pd(low_ahead), inserted);
        const __m512d high_last = _mm512_max_pd(_mm512_castsi512_pd(high_ahead), inserted);
        _mm512_store_pd(to.times.data(), _mm512_min_pd(low, low_last));
        _mm512_store_pd(to.times.data() + block / 2, _mm512_min_pd(high, high_last));
        _mm512_store_si512(to.values.data(), result);
        last_times = _mm512_castpd_si512(high);
        last_values = values;
    }
    return has_end;
}

/// All ones in eight lanes of 32 bits where there are in four and four of 64.
SCHEDFARM_AVX2 inline __m256i narrowed(__m256d low, __m256d high) {
    const __m256 mixed =
        _mm256_shuffle_ps(_mm256_castpd_ps(low), _mm256_castpd_ps(high), _MM_SHUFFLE(2, 0, 2, 0));
    return _mm256_permute4x64_epi64(_mm256_castps_si256(mixed), _MM_SHUFFLE(3, 1, 2, 0));
}

SCHEDFARM_AVX2 inline __m256d is_in(__m256d times, __m256d begin, __m256d end) {
    const __m256d is_from = _mm256_cmp_pd(times, begin, _CMP_GE_OQ);
    return _mm256_and_pd(is_from, _mm256_cmp_pd(times, end, _CMP_LT_OQ));
}

SCHEDFARM_AVX2 TrialSteps add(Block* blocks, std::size_t count, const TrialAddition& addition) {
    const __m256d begin = _mm256_set1_pd(addition.begin);
    const __m256d end = _mm256_set1_pd(addition.end);
    const __m256i amount = _mm256_set1_epi32(addition.amount);
    __m256d at_begin = _mm256_setzero_pd();
    __m256d at_end = _mm256_setzero_pd();
    for (std::size_t i = 0; i < count * block; i += 8) {
        const __m256d low = _mm256_load_pd(blocks[i / block].times.data() + i % block);
        const __m256d high = _mm256_load_pd(blocks[i / block].times.data() + i % block + 4);
        for (const __m256d times : {low, high}) {
            at_begin = _mm256_or_pd(at_begin, _mm256_cmp_pd(times, begin, _CMP_EQ_OQ));
            at_end = _mm256_or_pd(at_end, _mm256_cmp_pd(times, end, _CMP_EQ_OQ));
        }
        const __m256i lanes = narrowed(is_in(low, begin, end), is_in(high, begin, end));
        auto* const values =
            reinterpret_cast<__m256i*>(blocks[i / block].values.data() + i % block);
        const __m256i more = _mm256_and_si256(lanes, amount);
        _mm256_store_si256(values, _mm256_add_epi32(_mm256_load_si256(values), more));
    }
    return {_mm256_movemask_pd(at_begin) != 0, _mm256_movemask_pd(at_end) != 0};
}

SCHEDFARM_AVX2 inline bool has_step_avx2(const Block* blocks, std::size_t count, double time) {
    const __m256d wanted = _mm256_set1_pd(time);
    __m256d found = _mm256_setzero_pd();
    for (std::size_t i = 0; i < count * block; i += 4) {
        const __m256d times = _mm256_load_pd(blocks[i / block].times.data() + i % block);
        found = _mm256_or_pd(found, _mm256_cmp_pd(times, wanted, _CMP_EQ_OQ));
    }
    return _mm256_movemask_pd(found) != 0;
}

/// What is one lane ahead of each, where `last` is ahead of the first.
SCHEDFARM_AVX2 inline __m256d times_ahead(__m256d times, __m256d last) {
    const __m256d across = _mm256_permute2f128_pd(last, times, 0x21);
    return _mm256_shuffle_pd(across, times, 0x5);
}

SCHEDFARM_AVX2 inline __m256i values_ahead(__m256i values, __m256i last) {
    return _mm256_alignr_epi8(values, _mm256_permute2x128_si256(last, values, 0x21), 12);
}

// As with AVX-512, eight at a time.
SCHEDFARM_AVX2 bool insert(const TrialBlocks& blocks, const TrialInsertion& what) {
    const bool has_end = has_step_avx2(blocks.from, blocks.count, what.end);
    const __m256d end = _mm256_set1_pd(what.end);
    const __m256d inserted = _mm256_set1_pd(has_end ? never : what.end);
    const __m256i amount = _mm256_set1_epi32(what.amount);
    const __m256i shifts = _mm256_set1_epi32(has_end ? 0 : -1);
    const __m256i last_untaken = _mm256_set1_epi32(static_cast<int>(what.first) - 1);
    __m256i places = _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0);
    __m256d last_times = _mm256_set1_pd(-never);
    __m256i last_values = _mm256_setzero_si256();
    for (std::size_t i = 0; i < blocks.count * block; i += 8) {
        const Block& from = blocks.from[i / block];
        Block& to = blocks.to[i / block];
        const __m256d low = _mm256_load_pd(from.times.data() + i % block);
        const __m256d high = _mm256_load_pd(from.times.data() + i % block + 4);
        const __m256i values =
            _mm256_load_si256(reinterpret_cast<const __m256i*>(from.values.data() + i % block));
        const __m256i before =
            narrowed(_mm256_cmp_pd(low, end, _CMP_LT_OQ), _mm256_cmp_pd(high, end, _CMP_LT_OQ));
        const __m256i changed = _mm256_and_si256(before, _mm256_cmpgt_epi32(places, last_untaken));
        const __m256i shifted = _mm256_andnot_si256(before, shifts);
        const __m256i ahead = values_ahead(values, last_values);
        const __m256i more = _mm256_add_epi32(values, _mm256_and_si256(changed, amount));
        const __m256d low_last = _mm256_max_pd(times_ahead(low, last_times), inserted);
        const __m256d high_last = _mm256_max_pd(times_ahead(high, low), inserted);
        _mm256_store_pd(to.times.data() + i % block, _mm256_min_pd(low, low_last));
        _mm256_store_pd(to.times.data() + i % block + 4, _mm256_min_pd(high, high_last));
        _mm256_store_si256(
            reinterpret_cast<__m256i*>(to.values.data() + i % block),
            _mm256_blendv_epi8(more, ahead, shifted)
        );
        places = _mm256_add_epi32(places, _mm256_set1_epi32(8));
        last_times = high;
        last_values = values;
    }
    return has_end;
}

#endif

SCHEDFARM_ANY_PROCESSOR TrialSteps
add(Block* blocks, std::size_t count, const TrialAddition& addition) {
    TrialSteps found;
    for (std::size_t i = 0; i < count * block; ++i) {
        const double time = blocks[i / block].times[i % block];
        const bool is_in = time >= addition.begin && time < addition.end;
        found.begin = found.begin || time == addition.begin;
        found.end = found.end || time == addition.end;
        blocks[i / block].values[i % block] += is_in ? addition.amount : 0;
    }
    return found;
}

SCHEDFARM_ANY_PROCESSOR bool insert(const TrialBlocks& blocks, const TrialInsertion& what) {
    bool has_end = false;
    for (std::size_t i = 0; i < blocks.count * block; ++i) {
        has_end = has_end || blocks.from[i / block].times[i % block] == what.end;
    }
    double last_time = -never;
    std::int32_t last_value = 0;
    for (std::size_t i = 0; i < blocks.count * block; ++i) {
        const double time = blocks.from[i / block].times[i % block];
        const std::int32_t value = blocks.from[i / block].values[i % block];
        const bool is_ahead = time < what.end;
        const bool is_shifted = !is_ahead && !has_end;
        const bool is_changed = is_ahead && i >= what.first;
        Block& to = blocks.to[i / block];
        to.times[i % block] = is_shifted ? std::max(last_time, what.end) : time;
        to.values[i % block] = is_shifted ? last_value : value + (is_changed ? what.amount : 0);
        last_time = time;
        last_value = value;
    }
    return has_end;
}

}  // namespace

TrialSteps add_between(Block* blocks, std::size_t count, const TrialAddition& addition) {
    return add(blocks, count, addition);
}

bool insert_change(const TrialBlocks& blocks, const TrialInsertion& what) {
    return insert(blocks, what);
}

}  // namespace schedfarm::engine
