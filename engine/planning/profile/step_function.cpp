#include "engine/planning/profile/step_function.hpp"

#include <algorithm>
#include <bit>

#include "engine/foundation/special_values.hpp"
#include "engine/planning/profile/step_lanes.hpp"

namespace schedfarm::engine {

namespace {

constexpr std::size_t bits = StepFunction::bits;
constexpr std::size_t block = StepFunction::block;

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

#if SCHEDFARM_CPU_DISPATCH
SCHEDFARM_AVX2 std::uint64_t less_than(const std::int32_t* values, std::int32_t level) {
    return avx2::less_than(values, level);
}

SCHEDFARM_AVX2 double first_of_few(
    const double* times, const std::int32_t* values, std::size_t count, const StepWindow& wanted
) {
    const std::uint64_t lacking = avx2::less_than(values, wanted.level);
    const Counts<1> before = avx2::count_before<1>(times, count, {wanted.until});
    return window_of_few(times, count, lacking, before[0], wanted);
}
#endif

SCHEDFARM_ANY_PROCESSOR std::uint64_t less_than(const std::int32_t* values, std::int32_t level) {
    return plain::less_than(values, level);
}

SCHEDFARM_ANY_PROCESSOR double first_of_few(
    const double* times, const std::int32_t* values, std::size_t count, const StepWindow& wanted
) {
    const std::uint64_t lacking = plain::less_than(values, wanted.level);
    const Counts<1> before = plain::count_before<1>(times, count, {wanted.until});
    return window_of_few(times, count, lacking, before[0], wanted);
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

void StepFunction::make_room() {
    if (times_.size() >= front_ + count_ + spare) {
        return;
    }
    times_.erase(times_.begin(), times_.begin() + static_cast<std::ptrdiff_t>(front_));
    values_.erase(values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(front_));
    front_ = 0;
    times_.resize(2 * (count_ + spare), never);
    values_.resize(2 * (count_ + spare));
}

void StepFunction::reset(std::int32_t value) {
    front_ = 0;
    count_ = 1;
    make_room();
    times_[0] = -never;
    values_[0] = value;
    std::fill_n(times_.begin() + 1, block, never);
    raise_count_ += known_raises + 1;
}

void StepFunction::assign(const StepFunction& other) {
    front_ = 0;
    count_ = other.count_;
    make_room();
    std::copy_n(other.times(), count_ + block, times_.begin());
    std::copy_n(other.values(), count_, values_.begin());
    raise_count_ += known_raises + 1;
}

// Most questions are about what is next. Else without branches, which would often be guessed wrong.
std::size_t StepFunction::stretch_at(double time) const {
    const double* times = this->times();
    if (times[1] > time) {
        return 0;
    }
    for (std::size_t left = count_; left > 1; left -= left / 2) {
        times += times[left / 2] <= time ? left / 2 : 0;
    }
    return static_cast<std::size_t>(times - this->times());
}

double StepFunction::first_window(const StepWindow& wanted) const {
    const double* const times = this->times();
    const bool are_few = count_ <= bits || times[bits] >= wanted.until;
    if (are_few && times[1] > wanted.from) [[likely]] {
        return first_of_few(times, values(), std::min(count_, bits), wanted);
    }
    return first_window_of_many(wanted);
}

// Apart, so that the usual way saves no registers.
[[gnu::noinline]] double StepFunction::first_window_of_many(const StepWindow& wanted) const {
    const double* const times = this->times();
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

// The stretch at `time` then begins there: what begins at `time` needs no step of its own.
void StepFunction::forget_before(double time) {
    const std::size_t forgotten = stretch_at(time);
    front_ += forgotten;
    count_ -= forgotten;
    double& first = times_[front_];
    first = std::max(first, time);
}

}  // namespace schedfarm::engine
