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

constexpr double never = StepArrays::never;
constexpr std::size_t bits = StepArrays::bits;
constexpr std::size_t block = StepArrays::block;

struct Counts {
    std::size_t first = 0;
    std::size_t second = 0;
};

// How many of the times are before each of two, and which of 64 values are less than a level: for
// processors with AVX-512, to become part of the functions below, and for others.
#if defined(__x86_64__)

[[gnu::target("avx512f,popcnt")]] inline Counts count_lanes_before(
    const double* times, std::size_t count, double first, double second
) {
    Counts found;
    const __m512d first_limit = _mm512_set1_pd(first);
    const __m512d second_limit = _mm512_set1_pd(second);
    for (std::size_t i = 0; i < count; i += 8) {
        const __m512d some = _mm512_loadu_pd(times + i);
        const __mmask8 is_first = _mm512_cmp_pd_mask(some, first_limit, _CMP_LT_OQ);
        const __mmask8 is_second = _mm512_cmp_pd_mask(some, second_limit, _CMP_LT_OQ);
        found.first += static_cast<std::size_t>(__builtin_popcount(is_first));
        found.second += static_cast<std::size_t>(__builtin_popcount(is_second));
    }
    return found;
}

[[gnu::target("avx512f,popcnt")]] inline std::uint64_t lanes_less_than(
    const std::int32_t* values, std::int32_t level
) {
    const __m512i limit = _mm512_set1_epi32(level);
    std::uint64_t found = 0;
    for (std::size_t i = 0; i < bits; i += 16) {
        const __m512i some = _mm512_loadu_si512(values + i);
        found |= std::uint64_t{_mm512_cmplt_epi32_mask(some, limit)} << i;
    }
    return found;
}

[[gnu::target("avx512f,popcnt")]] Counts count_before(
    const double* times, std::size_t count, double first, double second
) {
    return count_lanes_before(times, count, first, second);
}

[[gnu::target("avx512f,popcnt")]] std::uint64_t less_than(
    const std::int32_t* values, std::int32_t level
) {
    return lanes_less_than(values, level);
}

[[gnu::target("default")]]
#endif
Counts
count_before(const double* times, std::size_t count, double first, double second) {
    const auto before = [times, count](double limit) {
        return static_cast<std::size_t>(std::lower_bound(times, times + count, limit) - times);
    };
    return {before(first), before(second)};
}

#if defined(__x86_64__)
[[gnu::target("default")]] std::uint64_t less_than(const std::int32_t* values, std::int32_t level) {
    const __m128i limit = _mm_set1_epi32(level);
    std::uint64_t found = 0;
    for (std::size_t i = 0; i < bits; i += 4) {
        const __m128i some = _mm_loadu_si128(reinterpret_cast<const __m128i*>(values + i));
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

/// Stretches and where they go.
struct Move {
    const double* times;
    const std::int32_t* values;
    double* new_times;
    std::int32_t* new_values;
    std::size_t count;
};

// Whole blocks: what lies behind is overwritten.
inline void move(const Move& what, std::int32_t amount) {
    const double* __restrict times = what.times;
    const std::int32_t* __restrict values = what.values;
    double* __restrict new_times = what.new_times;
    std::int32_t* __restrict new_values = what.new_values;
    for (std::size_t i = 0; i < what.count; i += block) {
        for (std::size_t k = 0; k < block; ++k) {
            new_times[i + k] = times[i + k];
        }
        for (std::size_t k = 0; k < block; ++k) {
            new_values[i + k] = values[i + k] + amount;
        }
    }
}

struct Change {
    double begin;
    double end;
    std::int32_t amount;
};

// Without branches, which would often be guessed wrong.
/// Moves all stretches with the change made, of which so many begin before its begin and its end;
/// returns their number. A step of the change comes in, or is there already; or goes, because there
/// is none any more.
inline std::size_t move_changed(const Move& all, const Change& change, const Counts& before) {
    const auto [times, values, new_times, new_values, count] = all;
    const std::size_t first = before.first;
    const std::size_t last = before.second;
    const bool has_begin = times[first] == change.begin;
    const bool has_end = times[last] == change.end;
    const std::size_t ahead = first - (first > 0 ? 1U : 0U);
    const bool is_begin_level =
        has_begin & (first > 0) & (values[ahead] == values[first] + change.amount);
    const bool is_end_level =
        has_end & (last < count) & (values[last] == values[last - 1] + change.amount);
    const std::size_t changed = first - (has_begin ? 0U : 1U) + (is_begin_level ? 1U : 0U);
    const std::size_t rest = last - (has_end ? 0U : 1U) + (is_end_level ? 1U : 0U);
    const std::size_t behind = first + last - changed;
    move({times, values, new_times, new_values, first}, 0);
    move(
        {times + changed, values + changed, new_times + first, new_values + first, last - changed},
        change.amount
    );
    new_times[first] = is_begin_level ? times[changed] : change.begin;
    move(
        {times + rest,
         values + rest,
         new_times + behind,
         new_values + behind,
         count - rest + block},
        0
    );
    new_times[behind] = is_end_level ? times[rest] : change.end;
    return behind + count - rest;
}

/// The first window among at most 64 stretches, beyond the last of which nothing matters; bit i of
/// `lacking` tells whether stretch i lacks the level. Most searches fail, and most of these are
/// told at once: up to `until` there is no stretch that has the level; or the last one lacks it,
/// and from the first one on the time is too short.
inline double window_of_few(
    const double* times,
    std::size_t count,
    std::uint64_t lacking,
    std::size_t begin_before_until,
    const StepWindow& wanted
) {
    const double latest = std::min(wanted.before, wanted.until);
    const std::uint64_t within = ~std::uint64_t{0} >> (bits - count);
    std::uint64_t enough = ~lacking & within;
    const auto first = static_cast<std::size_t>(std::countr_zero(enough)) % bits;
    const double first_begin = std::max(times[first], wanted.from);
    const bool reaches_until = (enough >> ((begin_before_until - 1) % bits) & 1) != 0;
    const bool ends_before = first_begin + wanted.duration < wanted.until;
    if (!((enough != 0) & (times[first] < latest) & (reaches_until | ends_before))) {
        return never;
    }
    while (enough != 0) {
        const auto i = static_cast<std::size_t>(std::countr_zero(enough));
        if (times[i] >= latest) {
            return never;
        }
        const double begin = std::max(times[i], wanted.from);
        const double end = std::min(planned_end(begin, wanted.duration), wanted.until);
        const std::uint64_t later_lacking = lacking & within & (~std::uint64_t{0} << i);
        if (later_lacking == 0) {
            return begin;
        }
        const auto next = static_cast<std::size_t>(std::countr_zero(later_lacking));
        if (times[next] >= end) {
            return begin;
        }
        enough &= ~std::uint64_t{0} << next;
    }
    return never;
}

#if defined(__x86_64__)
[[gnu::target("avx512f,popcnt,bmi,bmi2")]] std::size_t change_steps(
    const Move& all, const Change& change
) {
    const Counts before = count_lanes_before(all.times, all.count, change.begin, change.end);
    return move_changed(all, change, before);
}

[[gnu::target("avx512f,popcnt,bmi,bmi2")]] void copy_steps(const Move& all) {
    move(all, 0);
}

[[gnu::target("avx512f,popcnt,bmi,bmi2")]] double first_of_few(
    const double* times, const std::int32_t* values, std::size_t count, const StepWindow& wanted
) {
    const std::uint64_t lacking = lanes_less_than(values, wanted.level);
    const Counts before = count_lanes_before(times, count, wanted.until, wanted.until);
    return window_of_few(times, count, lacking, before.first, wanted);
}

[[gnu::target("default")]]
#endif
std::size_t
change_steps(const Move& all, const Change& change) {
    const Counts before = count_before(all.times, all.count, change.begin, change.end);
    return move_changed(all, change, before);
}

#if defined(__x86_64__)
[[gnu::target("default")]]
#endif
void
copy_steps(const Move& all) {
    move(all, 0);
}

#if defined(__x86_64__)
[[gnu::target("default")]]
#endif
double
first_of_few(
    const double* times, const std::int32_t* values, std::size_t count, const StepWindow& wanted
) {
    const std::uint64_t lacking = less_than(values, wanted.level);
    const Counts before = count_before(times, count, wanted.until, wanted.until);
    return window_of_few(times, count, lacking, before.first, wanted);
}

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
    current_ = 0;
    front_ = 0;
    count_ = 1;
    columns_[0].times.fill(never);
    columns_[0].times[0] = -never;
    columns_[0].values[0] = value;
}

void StepArrays::assign(const StepArrays& other) {
    current_ = 0;
    front_ = 0;
    count_ = other.count_;
    Columns& to = columns_[0];
    copy_steps({other.times(), other.values(), to.times.data(), to.values.data(), count_ + block});
}

void StepArrays::append(double time, std::int32_t value) {
    columns_[current_].times[front_ + count_] = time;
    columns_[current_].values[front_ + count_] = value;
    ++count_;
}

// Most questions are about what is next.
std::size_t StepArrays::stretch_at(double time) const {
    const double* const times = this->times();
    if (times[1] > time) {
        return 0;
    }
    const std::size_t before = count_before(times, count_, time, time).first;
    return times[before] == time ? before : before - 1;
}

double StepArrays::first_window(const StepWindow& wanted) const {
    const double* const times = this->times();
    const bool are_few = count_ <= bits || times[bits] >= wanted.until;
    if (are_few && times[1] > wanted.from) {
        return first_of_few(times, values(), std::min(count_, bits), wanted);
    }
    const double latest = std::min(wanted.before, wanted.until);
    Lacks lacks(values(), count_, wanted.level);
    for (std::size_t i = stretch_at(wanted.from);; ++i) {
        i = lacks.next_enough(i);
        if (i >= count_ || times[i] >= latest) {
            return never;
        }
        const double begin = std::max(times[i], wanted.from);
        const double end = std::min(planned_end(begin, wanted.duration), wanted.until);
        i = lacks.next_lacking(i);
        if (i >= count_ || times[i] >= end) {
            return begin;
        }
    }
}

void StepArrays::add(double begin, double end, std::int32_t amount) {
    Columns& next = columns_[1 - current_];
    count_ = change_steps(
        {times(), values(), next.times.data(), next.values.data(), count_}, {begin, end, amount}
    );
    current_ = 1 - current_;
    front_ = 0;
}

// The stretch at `time` then begins there: what begins at `time` needs no step of its own.
void StepArrays::forget_before(double time) {
    const std::size_t forgotten = stretch_at(time);
    front_ += forgotten;
    count_ -= forgotten;
    double& first = columns_[current_].times[front_];
    first = std::max(first, time);
}

}  // namespace schedfarm::engine
