// Searches and changes by AVX-512 where the processor has it, else by plain loops; the two do the
// same to the bit.
#include "engine/planning/trial_profile.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "engine/planning/step_window.hpp"

#if defined(__x86_64__)
// GCC 12 warns of its own _mm512_undefined_epi32 (GCC bug 105593).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#include <immintrin.h>
#pragma GCC diagnostic pop
#define SCHEDFARM_AVX512 [[gnu::target("avx512f,popcnt,bmi,bmi2")]]
#define SCHEDFARM_ANY_PROCESSOR [[gnu::target("default")]]
#else
#define SCHEDFARM_ANY_PROCESSOR
#endif

namespace schedfarm::engine {

namespace {

using Block = TrialProfile::Block;
using Wanted = TrialProfile::Wanted;
using Place = TrialProfile::Place;

constexpr double never = TrialProfile::never;
constexpr std::size_t block = TrialProfile::block;
constexpr std::size_t bits = 64;  ///< stretches looked at in one go

struct Change {
    double begin;
    double end;
    std::int32_t amount;
};

struct Found {
    bool begin = false;
    bool end = false;
};

/// What is added from stretch `first` up to `end`, where a step comes in unless there is one.
struct Insertion {
    std::size_t first;
    double end;
    std::int32_t amount;
};

/// Blocks, and where they go.
struct Blocks {
    const Block* from;
    Block* to;
    std::size_t count;
};

struct Search {
    const Block* blocks;
    std::size_t count;
    const Wanted& job;
    std::uint64_t* lacking;  ///< room for a bit of each stretch, and one more

    std::size_t words() const { return count / bits + 1; }
    std::int32_t level() const { return static_cast<std::int32_t>(job.processors); }
};

inline double time_of(const Block* blocks, std::size_t i) {
    return blocks[i / block].times[i % block];
}

/// By the bits that tell which stretches lack processors: of less than 64 stretches, and of any
/// number.
inline Place place_in_word(const Search& search, std::uint64_t word) {
    const auto [blocks, count, job, words] = search;
    const std::uint64_t beyond = ~std::uint64_t{0} << count;
    const std::uint64_t lacking = word | beyond;  // what lies beyond begins at never
    std::uint64_t enough = ~lacking;
    while (enough != 0) {
        const auto i = static_cast<std::size_t>(std::countr_zero(enough));
        const double begin = time_of(blocks, i);
        if (begin > job.latest) {
            break;
        }
        const double end = std::min(planned_end(begin, job.duration), job.until);
        const auto next =
            static_cast<std::size_t>(std::countr_zero(lacking & (~std::uint64_t{0} << i)));
        if (time_of(blocks, next) >= end) {
            return {begin, i};
        }
        enough &= ~std::uint64_t{0} << next;
    }
    return {never, count};
}

/// The first bit from `i` on that is set once the words are flipped; at most `count`.
inline std::size_t next_bit(
    const std::uint64_t* words, std::size_t count, std::size_t i, std::uint64_t flip
) {
    std::size_t word = i / bits;
    std::uint64_t rest = (words[word] ^ flip) & (~std::uint64_t{0} << (i % bits));
    while (rest == 0 && word < count / bits) {
        rest = words[++word] ^ flip;
    }
    return rest == 0
               ? count
               : std::min(count, word * bits + static_cast<std::size_t>(std::countr_zero(rest)));
}

inline Place place_in_words(const Search& search) {
    const auto [blocks, count, job, lacking] = search;
    for (std::size_t i = 0;;) {
        i = next_bit(lacking, count, i, ~std::uint64_t{0});
        const double begin = time_of(blocks, i);
        if (i == count || begin > job.latest) {
            return {never, count};
        }
        const double end = std::min(planned_end(begin, job.duration), job.until);
        const std::size_t next = next_bit(lacking, count, i, 0);
        if (time_of(blocks, next) >= end) {
            return {begin, i};
        }
        i = next;
    }
}

#if defined(__x86_64__)

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

SCHEDFARM_AVX512 Found add_between(Block* blocks, std::size_t count, const Change& change) {
    const __m512d begin = _mm512_set1_pd(change.begin);
    const __m512d end = _mm512_set1_pd(change.end);
    const __m512i amount = _mm512_set1_epi32(change.amount);
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

SCHEDFARM_AVX512 bool insert(const Blocks& blocks, const Insertion& what) {
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
        const std::uint64_t taken = ~std::uint64_t{0} << std::min(skipped, bits - 1);
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

SCHEDFARM_AVX512 inline std::uint64_t lanes_lacking(const Block* blocks, std::int32_t level) {
    const __m512i limit = _mm512_set1_epi32(level);
    std::uint64_t found = 0;
#pragma GCC unroll 4
    for (std::size_t i = 0; i < bits / block; ++i) {
        const __m512i values = _mm512_load_si512(blocks[i].values.data());
        found |= std::uint64_t{_mm512_cmplt_epi32_mask(values, limit)} << (i * block);
    }
    return found;
}

SCHEDFARM_AVX512 Place first_place(const Search& search) {
    if (search.words() == 1) {
        return place_in_word(search, lanes_lacking(search.blocks, search.level()));
    }
    for (std::size_t i = 0; i < search.words(); ++i) {
        search.lacking[i] = lanes_lacking(search.blocks + i * (bits / block), search.level());
    }
    return place_in_words(search);
}

#endif

SCHEDFARM_ANY_PROCESSOR Found add_between(Block* blocks, std::size_t count, const Change& change) {
    Found found;
    for (std::size_t i = 0; i < count * block; ++i) {
        const double time = time_of(blocks, i);
        const bool is_in = time >= change.begin && time < change.end;
        found.begin = found.begin || time == change.begin;
        found.end = found.end || time == change.end;
        blocks[i / block].values[i % block] += is_in ? change.amount : 0;
    }
    return found;
}

SCHEDFARM_ANY_PROCESSOR bool insert(const Blocks& blocks, const Insertion& what) {
    bool has_end = false;
    for (std::size_t i = 0; i < blocks.count * block; ++i) {
        has_end = has_end || time_of(blocks.from, i) == what.end;
    }
    double last_time = -never;
    std::int32_t last_value = 0;
    for (std::size_t i = 0; i < blocks.count * block; ++i) {
        const double time = time_of(blocks.from, i);
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

SCHEDFARM_ANY_PROCESSOR Place first_place(const Search& search) {
    for (std::size_t i = 0; i < search.words(); ++i) {
        std::uint64_t lacking = 0;
        for (std::size_t k = 0; k < bits; ++k) {
            const Block& some = search.blocks[(i * bits + k) / block];
            lacking |= std::uint64_t{some.values[k % block] < search.level() ? 1U : 0U} << k;
        }
        search.lacking[i] = lacking;
    }
    return search.words() == 1 ? place_in_word(search, search.lacking[0]) : place_in_words(search);
}

}  // namespace

// Room for a stretch beyond those, and whole words.
void TrialProfile::make_room(std::size_t stretches) {
    const std::size_t words = stretches / bits + 1;
    if (lacking_.size() < words) {
        lacking_.resize(words);
        blocks_.resize(words * (bits / block));
    }
}

void TrialProfile::assign(
    const double* times, const std::int32_t* values, std::size_t count, double from
) {
    count_ = count;
    make_room(count);
    for (std::size_t i = 0; i <= count / block; ++i) {
        std::memcpy(blocks_[i].times.data(), times + i * block, sizeof blocks_[i].times);
        std::memcpy(blocks_[i].values.data(), values + i * block, sizeof blocks_[i].values);
    }
    blocks_[0].times[0] = std::max(times[0], from);
}

void TrialProfile::clear() {
    count_ = 0;
    make_room(0);
    blocks_[0].times.fill(never);
}

void TrialProfile::append(double time, std::int32_t value) {
    blocks_[count_ / block].times[count_ % block] = time;
    blocks_[count_ / block].values[count_ % block] = value;
    count_one_more();
}

// Where the last block is full, the next is one beyond all.
void TrialProfile::count_one_more() {
    ++count_;
    if (count_ % block == 0) {
        make_room(count_);
        blocks_[count_ / block].times.fill(never);
    }
}

TrialProfile::Place TrialProfile::earliest_fit(const Wanted& job) const {
    return first_place({blocks_.data(), count_, job, lacking_.data()});
}

/// Becomes as `other` is, with `amount` added from stretch `first` up to `end`.
void TrialProfile::assign(
    const TrialProfile& other, std::size_t first, double end, std::int32_t amount
) {
    make_room(other.count_);
    count_ = other.count_;
    const Blocks blocks{other.blocks_.data(), blocks_.data(), count_ / block + 1};
    if (!insert(blocks, {first, end, amount})) {
        count_one_more();
    }
}

void TrialProfile::assign(const TrialProfile& other, const Wanted& job, const Place& place) {
    const bool is_placed = place.begin < never;
    const double end = planned_end(place.begin, job.duration);
    assign(other, place.stretch, end, is_placed ? -static_cast<std::int32_t>(job.processors) : 0);
}

std::size_t TrialProfile::place(std::span<const Wanted> jobs, std::vector<double>& begins) {
    begins.clear();
    for (const Wanted& job : jobs) {
        const Place place = earliest_fit(job);
        if (place.begin > job.latest) {
            break;
        }
        begins.push_back(place.begin);
        if (begins.size() < jobs.size()) {
            assign(*this, job, place);
        }
    }
    return begins.size();
}

// A profile has no step where what ends and what begins are equal: it comes in.
void TrialProfile::release(double begin, double end, std::uint32_t processors) {
    const auto amount = static_cast<std::int32_t>(processors);
    const Found found = add_between(blocks_.data(), count_ / block + 1, {begin, end, amount});
    if (!found.begin) {
        split(begin, amount);
    }
    if (!found.end) {
        split(end, -amount);
    }
}

/// A stretch comes in at `time`, at which none begins, with so much more.
void TrialProfile::split(double time, std::int32_t amount) {
    assign(*this, count_, time, 0);
    std::size_t i = 0;
    while (this->time(i) != time) {
        ++i;
    }
    blocks_[i / block].values[i % block] += amount;
}

}  // namespace schedfarm::engine
