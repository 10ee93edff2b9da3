#include "engine/planning/step_arrays.hpp"

#include <algorithm>
#include <bit>

#if defined(__x86_64__)
// GCC 12 warns of its own _mm512_undefined_epi32 (GCC bug 105593).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#include <immintrin.h>
#pragma GCC diagnostic pop
#endif

namespace schedfarm::engine {

namespace {

constexpr std::size_t bits = StepArrays::bits;

struct Counts {
    std::size_t first = 0;
    std::size_t second = 0;
};

#if defined(__x86_64__)

[[gnu::target("avx512f,popcnt")]] Counts count_up_to(
    const double* times, std::size_t count, double first, double second
) {
    Counts found;
    const __m512d first_limit = _mm512_set1_pd(first);
    const __m512d second_limit = _mm512_set1_pd(second);
    for (std::size_t i = 0; i < count; i += 8) {
        const __m512d some = _mm512_load_pd(times + i);
        const __mmask8 is_first = _mm512_cmp_pd_mask(some, first_limit, _CMP_LE_OQ);
        const __mmask8 is_second = _mm512_cmp_pd_mask(some, second_limit, _CMP_LE_OQ);
        found.first += static_cast<std::size_t>(__builtin_popcount(is_first));
        found.second += static_cast<std::size_t>(__builtin_popcount(is_second));
    }
    return found;
}

[[gnu::target("avx512f,popcnt")]] std::uint64_t less_than(
    const std::int32_t* values, std::int32_t level
) {
    const __m512i limit = _mm512_set1_epi32(level);
    std::uint64_t found = 0;
    for (std::size_t i = 0; i < bits; i += 16) {
        const __m512i some = _mm512_load_si512(values + i);
        found |= std::uint64_t{_mm512_cmplt_epi32_mask(some, limit)} << i;
    }
    return found;
}

[[gnu::target("default")]]
#endif
Counts
count_up_to(const double* times, std::size_t count, double first, double second) {
    Counts found;
    for (std::size_t i = 0; i < count; ++i) {
        found.first += times[i] <= first ? 1U : 0U;
        found.second += times[i] <= second ? 1U : 0U;
    }
    return found;
}

#if defined(__x86_64__)
[[gnu::target("default")]] std::uint64_t less_than(const std::int32_t* values, std::int32_t level) {
    const __m128i limit = _mm_set1_epi32(level);
    std::uint64_t found = 0;
    for (std::size_t i = 0; i < bits; i += 4) {
        const __m128i some = _mm_load_si128(reinterpret_cast<const __m128i*>(values + i));
        const int lanes = _mm_movemask_ps(_mm_castsi128_ps(_mm_cmplt_epi32(some, limit)));
        found |= static_cast<std::uint64_t>(lanes) << i;
    }
    return found;
}
#else
std::uint64_t less_than(const std::int32_t* values, std::int32_t level) {
    std::uint64_t found = 0;
    for (std::size_t i = 0; i < bits; ++i) {
        found |= std::uint64_t{values[i] < level ? 1U : 0U} << i;
    }
    return found;
}
#endif

/// The stretches whose value lacks a level, 64 at a time when they are asked for.
class Lacks {
  public:
    Lacks(const std::int32_t* values, std::size_t count, std::int32_t level)
        : values_(values), count_(count), level_(level) {}

    /// The first stretch from `i` on that lacks the level, or has it; `count` if there is none.
    std::size_t next_lacking(std::size_t i) { return next(i, 0); }
    std::size_t next_enough(std::size_t i) { return next(i, ~std::uint64_t{0}); }

  private:
    std::size_t next(std::size_t i, std::uint64_t flip) {
        for (; i < count_; i = first_ + bits) {
            if (i >= first_ + bits || first_ > i) {
                first_ = i / bits * bits;
                word_ = less_than(values_ + first_, level_);
            }
            const std::uint64_t rest = (word_ ^ flip) >> (i - first_);
            if (rest != 0) {
                return i + static_cast<std::size_t>(std::countr_zero(rest));
            }
        }
        return count_;
    }

    const std::int32_t* values_;
    std::size_t count_;
    std::int32_t level_;
    std::size_t first_ = ~std::size_t{0} - bits;  // of the word; none yet
    std::uint64_t word_ = 0;
};

}  // namespace

void StepArrays::reset(std::int32_t value) {
    times_.fill(never);
    times_[0] = -never;
    values_[0] = value;
    count_ = 1;
}

void StepArrays::append(double time, std::int32_t value) {
    times_[count_] = time;
    values_[count_] = value;
    ++count_;
}

// Most questions are about what is next.
std::size_t StepArrays::stretch_at(double time) const {
    if (times_[1] > time) {
        return 0;
    }
    const std::size_t begun = count_up_to(times_.data(), count_, time, time).first;
    return std::max(begun, std::size_t{1}) - 1;
}

double StepArrays::first_window(const StepWindow& wanted) const {
    const double latest = std::min(wanted.before, wanted.until);
    Lacks lacks(values_.data(), count_, wanted.level);
    for (std::size_t i = stretch_at(wanted.from);; ++i) {
        i = lacks.next_enough(i);
        if (i >= count_ || times_[i] >= latest) {
            return never;
        }
        const double begin = std::max(times_[i], wanted.from);
        const double end = std::min(planned_end(begin, wanted.duration), wanted.until);
        i = lacks.next_lacking(i);
        if (i >= count_ || times_[i] >= end) {
            return begin;
        }
    }
}

// Puts a stretch at place `at`.
void StepArrays::insert(std::size_t at, double time, std::int32_t value) {
    std::copy_backward(times_.data() + at, times_.data() + count_, times_.data() + count_ + 1);
    std::copy_backward(values_.data() + at, values_.data() + count_, values_.data() + count_ + 1);
    times_[at] = time;
    values_[at] = value;
    ++count_;
}

void StepArrays::erase(std::size_t first, std::size_t count) {
    std::copy(times_.data() + first + count, times_.data() + count_, times_.data() + first);
    std::copy(values_.data() + first + count, values_.data() + count_, values_.data() + first);
    count_ -= count;
    std::fill_n(times_.data() + count_, count, never);
}

void StepArrays::add(double begin, double end, std::int32_t amount) {
    const Counts begun = count_up_to(times_.data(), count_, begin, end);
    std::size_t first = std::max(begun.first, std::size_t{1}) - 1;
    std::size_t behind = end < never ? begun.second : count_;
    if (end < never && times_[behind - 1] != end) {
        insert(behind, end, values_[behind - 1]);
    } else {
        behind -= end < never ? 1U : 0U;
    }
    if (times_[first] != begin) {
        ++first;
        insert(first, begin, values_[first - 1]);
        ++behind;
    }
    for (std::size_t i = first; i < behind; ++i) {
        values_[i] += amount;
    }
    if (behind < count_ && values_[behind] == values_[behind - 1]) {
        erase(behind, 1);
    }
    if (first > 0 && values_[first] == values_[first - 1]) {
        erase(first, 1);
    }
}

// The stretch at `time` then begins there: what begins at `time` needs no step of its own.
void StepArrays::forget_before(double time) {
    const std::size_t forgotten = stretch_at(time);
    if (forgotten > 0) {
        erase(0, forgotten);
    }
    times_[0] = std::max(times_[0], time);
}

}  // namespace schedfarm::engine
