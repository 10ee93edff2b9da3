// Searches by ways for AVX-512, for AVX2 and for any processor (engine/foundation/vector_ways.hpp).
#include "engine/planning/trial_profile.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "engine/foundation/special_values.hpp"
#include "engine/planning/step_lanes.hpp"
#include "engine/planning/step_window.hpp"
#include "engine/planning/trial_changes.hpp"

namespace schedfarm::engine {

namespace {

using Block = TrialProfile::Block;
using Wanted = TrialProfile::Wanted;
using Place = TrialProfile::Place;

constexpr std::size_t block = TrialProfile::block;
constexpr std::size_t bits = 64;  ///< stretches looked at in one go

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

#if SCHEDFARM_VECTOR_WAYS

SCHEDFARM_AVX512 inline std::uint64_t lanes_lacking_avx512(
    const Block* blocks, std::int32_t level
) {
    std::uint64_t found = 0;
#pragma GCC unroll 4
    for (std::size_t i = 0; i < bits / block; ++i) {
        const std::int32_t* const values = blocks[i].values.data();
        found |= std::uint64_t{avx512::lanes_less_than(values, level)} << (i * block);
    }
    return found;
}

SCHEDFARM_AVX512 Place first_place(const Search& search) {
    if (search.words() == 1) {
        return place_in_word(search, lanes_lacking_avx512(search.blocks, search.level()));
    }
    for (std::size_t i = 0; i < search.words(); ++i) {
        search.lacking[i] =
            lanes_lacking_avx512(search.blocks + i * (bits / block), search.level());
    }
    return place_in_words(search);
}

SCHEDFARM_AVX2 inline std::uint64_t lanes_lacking_avx2(const Block* blocks, std::int32_t level) {
    std::uint64_t found = 0;
#pragma GCC unroll 4
    for (std::size_t i = 0; i < bits / block; ++i) {
        const std::int32_t* const values = blocks[i].values.data();
        found |= std::uint64_t{avx2::lanes_less_than(values, level)} << (i * block);
    }
    return found;
}

SCHEDFARM_AVX2 Place first_place(const Search& search) {
    if (search.words() == 1) {
        return place_in_word(search, lanes_lacking_avx2(search.blocks, search.level()));
    }
    for (std::size_t i = 0; i < search.words(); ++i) {
        search.lacking[i] = lanes_lacking_avx2(search.blocks + i * (bits / block), search.level());
    }
    return place_in_words(search);
}

#endif

inline std::uint64_t lanes_lacking(const Block* blocks, std::int32_t level) {
    std::uint64_t found = 0;
#pragma GCC unroll 4
    for (std::size_t i = 0; i < bits / block; ++i) {
        const std::int32_t* const values = blocks[i].values.data();
        found |= std::uint64_t{plain::lanes_less_than(values, level)} << (i * block);
    }
    return found;
}

SCHEDFARM_ANY_PROCESSOR Place first_place(const Search& search) {
    if (search.words() == 1) {
        return place_in_word(search, lanes_lacking(search.blocks, search.level()));
    }
    for (std::size_t i = 0; i < search.words(); ++i) {
        search.lacking[i] = lanes_lacking(search.blocks + i * (bits / block), search.level());
    }
    return place_in_words(search);
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
    const TrialBlocks blocks{other.blocks_.data(), blocks_.data(), count_ / block + 1};
    if (!insert_change(blocks, {first, end, amount})) {
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
    const TrialSteps found = add_between(blocks_.data(), count_ / block + 1, {begin, end, amount});
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
