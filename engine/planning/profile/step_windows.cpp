#include "engine/planning/profile/step_windows.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "engine/foundation/special_values.hpp"
#include "engine/foundation/vector_intrinsics.hpp"

namespace schedfarm::engine {

namespace {

constexpr std::size_t row = 16;

/// Stretches from the one in which windows may begin on, and windows from one of them on.
struct Search {
    const double* times;  ///< at which the stretches begin; beyond the last: never
    const std::int32_t* values;
    std::size_t count;
    const double* levels;
    const double* durations;
    const double* untils;
    const std::uint32_t* kinds;
    const double* begins;  ///< by kind
};

/// So many windows, and what they have in common.
struct Range {
    const StepFunction& steps;
    std::size_t windows;
    double from;
    double before;
};

// In a lane, the window that reaches up to here goes from `begin` to `end`, anew behind a stretch
// that lacks the level; it is found where a stretch does not end before it. What begins at or after
// `before` or `until` is dropped in the end, being later than any that counts. No branch depends on
// one of the lanes.
#if SCHEDFARM_CPU_DISPATCH
SCHEDFARM_AVX512 FoundWindow first_in_lanes(const Search& all, const Range& range) {
    constexpr std::size_t lanes = 8;
    const __m512d before = _mm512_set1_pd(range.before);
    for (std::size_t i = 0; i < range.windows; i += lanes) {
        const __m512d levels = _mm512_loadu_pd(all.levels + i);
        const __m512d durations = _mm512_loadu_pd(all.durations + i);
        const __m512d untils = _mm512_loadu_pd(all.untils + i);
        const double last = _mm512_reduce_max_pd(untils);
        __m512d begin = _mm512_set1_pd(std::max(all.times[0], range.from));
        __m512d found = _mm512_set1_pd(never);
        for (std::size_t k = 0; all.times[k] < last; ++k) {
            if (all.times[k] >= range.before
                && _mm512_cmp_pd_mask(begin, _mm512_min_pd(before, found), _CMP_LT_OQ) == 0) {
                break;
            }
            const __m512d value = _mm512_set1_pd(all.values[k]);
            const __mmask8 enough = _mm512_cmp_pd_mask(levels, value, _CMP_LE_OQ);
            const __m512d next = _mm512_set1_pd(all.times[k + 1]);
            const __m512d end = _mm512_min_pd(_mm512_add_pd(begin, durations), untils);
            const __mmask8 fits = _mm512_mask_cmp_pd_mask(enough, end, next, _CMP_LE_OQ);
            found = _mm512_mask_min_pd(found, fits, found, begin);
            begin = _mm512_mask_mov_pd(next, enough, begin);
        }
        const __m512d latest = _mm512_min_pd(untils, before);
        const std::uint32_t in_time = _mm512_cmp_pd_mask(found, latest, _CMP_LT_OQ);
        if (in_time != 0) {
            std::array<double, lanes> begins;
            _mm512_storeu_pd(begins.data(), found);
            const auto lane = static_cast<std::size_t>(std::countr_zero(in_time));
            return {i + lane, begins[lane]};
        }
    }
    return {};
}

SCHEDFARM_AVX2 FoundWindow first_in_lanes(const Search& all, const Range& range) {
    constexpr std::size_t lanes = 4;
    const __m256d before = _mm256_set1_pd(range.before);
    for (std::size_t i = 0; i < range.windows; i += lanes) {
        const __m256d levels = _mm256_loadu_pd(all.levels + i);
        const __m256d durations = _mm256_loadu_pd(all.durations + i);
        const __m256d untils = _mm256_loadu_pd(all.untils + i);
        const double last = *std::max_element(all.untils + i, all.untils + i + lanes);
        __m256d begin = _mm256_set1_pd(std::max(all.times[0], range.from));
        __m256d found = _mm256_set1_pd(never);
        for (std::size_t k = 0; all.times[k] < last; ++k) {
            if (all.times[k] >= range.before
                && _mm256_movemask_pd(_mm256_cmp_pd(begin, _mm256_min_pd(before, found), _CMP_LT_OQ)
                   ) == 0) {
                break;
            }
            const __m256d value = _mm256_set1_pd(all.values[k]);
            const __m256d enough = _mm256_cmp_pd(levels, value, _CMP_LE_OQ);
            const __m256d next = _mm256_set1_pd(all.times[k + 1]);
            const __m256d end = _mm256_min_pd(_mm256_add_pd(begin, durations), untils);
            const __m256d is_long = _mm256_cmp_pd(end, next, _CMP_LE_OQ);
            const __m256d fits = _mm256_and_pd(enough, is_long);
            found = _mm256_blendv_pd(found, _mm256_min_pd(found, begin), fits);
            begin = _mm256_blendv_pd(next, begin, enough);
        }
        const __m256d latest = _mm256_min_pd(untils, before);
        const int in_time = _mm256_movemask_pd(_mm256_cmp_pd(found, latest, _CMP_LT_OQ));
        if (in_time != 0) {
            std::array<double, lanes> begins{};
            _mm256_storeu_pd(begins.data(), found);
            const auto lane =
                static_cast<std::size_t>(std::countr_zero(static_cast<std::uint32_t>(in_time)));
            return {i + lane, begins[lane]};
        }
    }
    return {};
}
#endif

SCHEDFARM_ANY_PROCESSOR FoundWindow first_in_lanes(const Search& all, const Range& range) {
    for (std::size_t i = 0; i < range.windows; ++i) {
        const StepWindow one{
            static_cast<std::int32_t>(all.levels[i]),
            all.durations[i],
            range.from,
            range.before,
            all.untils[i]};
        const double begin = one.is_there_time() ? range.steps.first_window(one) : never;
        if (begin < never) {
            return {i, begin};
        }
    }
    return {};
}

/// Of a row of windows, bit i tells whether window i may be there: it reaches its `until`, or a
/// whole one of its kind may end by then.
template <typename Reaches>
[[gnu::always_inline]] inline std::uint32_t likely_where(const Search& all, Reaches reaches) {
    std::array<std::uint32_t, row> is_likely;
    for (std::size_t i = 0; i < row; ++i) {
        const bool is_whole = all.begins[all.kinds[i]] + all.durations[i] <= all.untils[i];
        is_likely[i] = (reaches(i) | is_whole) ? 1U << i : 0U;
    }
    std::uint32_t found = 0;
    for (std::size_t i = 0; i < row; ++i) {
        found |= is_likely[i];
    }
    return found;
}

/// Also sets the stretches that reach each `until`, which are looked for around where they were:
/// a row of binary searches in `around` stretches each, and in all if one of them is not there.
SCHEDFARM_VECTOR_CLONES
std::uint32_t likely_of(const Search& all, std::int32_t* stretches) {
    constexpr std::int32_t around = 32;
    std::array<std::int32_t, row> at{};
    const auto halve = [&](std::size_t left) {
        for (; left > 1; left -= left / 2) {
            const auto half = static_cast<std::int32_t>(left / 2);
            for (std::size_t i = 0; i < row; ++i) {
                at[i] += all.times[at[i] + half] < all.untils[i] ? half : 0;
            }
        }
    };
    const std::int32_t last = static_cast<std::int32_t>(all.count) - around;
    std::array<std::int32_t, row> first;
    for (std::size_t i = 0; i < row; ++i) {
        first[i] = std::clamp(stretches[i] - around / 2, 0, last);
        at[i] = first[i];
    }
    halve(around);
    std::int32_t elsewhere = 0;
    for (std::size_t i = 0; i < row; ++i) {
        elsewhere |= (first[i] > 0) & (all.times[first[i]] >= all.untils[i]) ? 1 : 0;
        elsewhere |= all.times[at[i] + 1] < all.untils[i] ? 1 : 0;
    }
    if (elsewhere != 0) {
        at = {};
        halve(all.count);
    }
    std::copy(at.begin(), at.end(), stretches);
    return likely_where(all, [&](std::size_t i) { return all.values[at[i]] >= all.levels[i]; });
}

/// Those that may be there since a raise.
SCHEDFARM_VECTOR_CLONES
std::uint32_t likely_since(const Search& all, double begin, double end) {
    return likely_where(all, [&](std::size_t i) {
        return (begin < all.untils[i]) & (all.untils[i] <= end);
    });
}

/// Whole windows of at most this level that fit between `begin` and `end` begin no earlier. The
/// durations ascend; rows are filled up.
SCHEDFARM_VECTOR_CLONES
void lower_begins(
    const double* durations,
    const double* levels,
    double* begins,
    double level,
    double begin,
    double end
) {
    std::size_t count = row;
    while (begin + durations[count] <= end) {
        count += row;
    }
    for (std::size_t i = 0; i < count; ++i) {
        double lower = levels[i] <= level ? begin : never;
        lower = begin + durations[i] <= end ? lower : never;
        begins[i] = lower < begins[i] ? lower : begins[i];
    }
}

}  // namespace

std::uint32_t StepWindows::kind_of(double level, double duration) {
    auto& [durations, levels, begins, counts] = all_kinds_;
    auto place = static_cast<std::uint32_t>(
        std::lower_bound(durations.begin(), durations.end() - row, duration) - durations.begin()
    );
    while (place < counts.size() && durations[place] == duration && levels[place] < level) {
        ++place;
    }
    if (place == counts.size() || durations[place] != duration || levels[place] != level) {
        durations.insert(durations.begin() + place, duration);
        levels.insert(levels.begin() + place, level);
        begins.insert(begins.begin() + place, -never);
        counts.insert(counts.begin() + place, 0);
        for (std::size_t i = 0; i < size_; ++i) {
            kinds_[i] += kinds_[i] >= place ? 1U : 0U;
        }
    }
    ++counts[place];
    return place;
}

void StepWindows::remove_kind(std::uint32_t kind) {
    auto& [durations, levels, begins, counts] = all_kinds_;
    durations.erase(durations.begin() + kind);
    levels.erase(levels.begin() + kind);
    begins.erase(begins.begin() + kind);
    counts.erase(counts.begin() + kind);
    for (std::size_t i = 0; i < size_; ++i) {
        kinds_[i] -= kinds_[i] > kind ? 1U : 0U;
    }
}

void StepWindows::find_kinds() {
    if (!has_kinds_) {
        all_kinds_ = Kinds();
        for (std::size_t i = 0; i < size_; ++i) {
            kinds_[i] = kind_of(levels_[i], durations_[i]);
        }
        forget_row();
        has_kinds_ = true;
    }
}

void StepWindows::insert(std::size_t i, std::int32_t level, double duration, double until) {
    forget_row();
    if (size_ + row >= levels_.size()) {
        const std::size_t most = 2 * (size_ + row);
        levels_.resize(most, never);
        durations_.resize(most, 0);
        untils_.resize(most, -never);
        kinds_.resize(most, 0);
        stretches_.resize(most, 0);
    }
    for (std::size_t k = size_; k > i; --k) {
        levels_[k] = levels_[k - 1];
        durations_[k] = durations_[k - 1];
        untils_[k] = untils_[k - 1];
        kinds_[k] = kinds_[k - 1];
        stretches_[k] = stretches_[k - 1];
    }
    levels_[i] = level;
    durations_[i] = duration;
    untils_[i] = until;
    ++size_;
    kinds_[i] = has_kinds_ ? kind_of(level, duration) : 0;
}

void StepWindows::remove(std::span<const std::size_t> places) {
    forget_row();
    for (const std::size_t place : places) {
        if (has_kinds_ && --all_kinds_.counts[kinds_[place]] == 0) {
            remove_kind(kinds_[place]);
        }
    }
    const std::size_t left = close_gaps(size_, places, [this](std::size_t old, std::size_t place) {
        levels_[place] = levels_[old];
        durations_[place] = durations_[old];
        untils_[place] = untils_[old];
        kinds_[place] = kinds_[old];
        stretches_[place] = stretches_[old];
    });
    for (std::size_t i = left; i < size_; ++i) {
        levels_[i] = never;
        untils_[i] = -never;
        kinds_[i] = 0;
        stretches_[i] = 0;
    }
    size_ = left;
}

void StepWindows::note_raises(const StepFunction& steps) {
    const std::uint64_t count = steps.raise_count();
    if (count - raises_seen_ > StepFunction::known_raises) {
        std::fill(all_kinds_.begins.begin(), all_kinds_.begins.end(), -never);
        raises_seen_ = count;
    }
    std::int32_t raised = 0;  // no value by more
    for (std::uint64_t i = raises_seen_; i < count; ++i) {
        raised += steps.raise(i).amount;
    }
    for (; raises_seen_ < count; ++raises_seen_) {
        note_raise(steps, steps.raise(raises_seen_), raised);
    }
}

// A window that came with the raise has a peak of it, and a level above what one of the raised
// stretches had before: all together raised none by more than `raised`, and what was lowered since
// makes the floor lower still. Windows of lower levels were there and are known.
void StepWindows::note_raise(
    const StepFunction& steps, const StepFunction::Raise& raise, std::int32_t raised
) {
    const double* const times = steps.times();
    const std::int32_t* const values = steps.values();
    const std::size_t first =
        raise.begin > times[0] ? steps.stretch_at(raise.begin, raise.stretch) : 0;
    std::int32_t least = values[first];
    for (std::size_t i = first + 1; times[i] < raise.end; ++i) {
        least = std::min(least, values[i]);
    }
    const std::int32_t floor = std::max(least - raised, 0);
    for (std::size_t i = first; times[i] < raise.end; ++i) {
        const bool rises = i == first || values[i - 1] <= values[i];
        const bool falls = times[i + 1] >= raise.end || values[i + 1] <= values[i];
        if (rises && falls) {
            note_peak(steps, i, floor);
        }
    }
}

void StepWindows::note_peak(const StepFunction& steps, std::size_t peak, std::int32_t floor) {
    const double* const times = steps.times();
    const std::int32_t* const values = steps.values();
    const double* const durations = all_kinds_.durations.data();
    const double* const levels = all_kinds_.levels.data();
    std::size_t begin = peak;
    std::size_t end = peak + 1;
    for (std::int32_t level = values[peak]; level > floor;) {
        while (begin > 0 && values[begin - 1] >= level) {
            --begin;
        }
        while (end < steps.stretches() && values[end] >= level) {
            ++end;
        }
        if (times[begin] + durations[0] <= times[end]) {
            lower_begins(
                durations, levels, all_kinds_.begins.data(), level, times[begin], times[end]
            );
        }
        level =
            std::max(begin > 0 ? values[begin - 1] : 0, end < steps.stretches() ? values[end] : 0);
    }
}

double StepWindows::begin_of(const StepFunction& steps, std::size_t i) {
    const StepWindow wanted = (*this)[i];
    if (!wanted.is_there_time()) {
        return never;
    }
    double& first = all_kinds_.begins[kinds_[i]];
    if (planned_end(first, wanted.duration) <= wanted.until) {
        const double found = steps.first_window(
            {.level = wanted.level,
             .duration = wanted.duration,
             .from = std::max(first, from),
             .before = wanted.until}
        );
        first = found < never ? found : wanted.until;
        if (planned_end(first, wanted.duration) <= wanted.until) {
            return first < before ? first : never;
        }
    }
    const double* const times = steps.times();
    std::size_t k = steps.stretch_at(wanted.until, static_cast<std::size_t>(stretches_[i]));
    k -= times[k] == wanted.until ? 1 : 0;
    const std::int32_t* const values = steps.values();
    if (values[k] < wanted.level) {
        return never;
    }
    while (k > 0 && values[k - 1] >= wanted.level) {
        --k;
    }
    const double begin = std::max(times[k], from);
    stretches_[i] = static_cast<std::int32_t>(k);
    return begin < before ? begin : never;
}

FoundWindow StepWindows::first_of(const StepFunction& steps, std::size_t first) {
    const auto search = [&](std::size_t i, std::size_t stretch) {
        return Search{
            steps.times() + stretch,
            steps.values() + stretch,
            steps.stretches() - stretch,
            levels_.data() + i,
            durations_.data() + i,
            untils_.data() + i,
            kinds_.data() + i,
            all_kinds_.begins.data()};
    };
    if (first >= size_) {
        return {};
    }
    if (steps.stretches() <= few) {
        has_kinds_ = false;
        const Search all = search(first, steps.stretch_at(from));
        const FoundWindow found = first_in_lanes(all, {steps, size_ - first, from, before});
        return {found.index + first, found.begin};
    }
    find_kinds();
    note_raises(steps);
    if (first == 0 || first != row_next_ || raises_seen_ - row_raises_ > 1) {
        row_begin_ = first;
        row_likely_ = likely_of(search(first, 0), stretches_.data() + first);
    } else if (raises_seen_ > row_raises_) {
        const StepFunction::Raise& last = steps.raise(row_raises_);
        const std::uint32_t since = likely_since(search(row_begin_, 0), last.begin, last.end);
        row_likely_ |=
            since & static_cast<std::uint32_t>(~std::uint64_t{0} << (first - row_begin_));
    }
    row_raises_ = raises_seen_;
    for (;;) {
        for (; row_likely_ != 0; row_likely_ &= row_likely_ - 1) {
            const auto bit = static_cast<std::size_t>(std::countr_zero(row_likely_));
            const std::size_t i = row_begin_ + bit;
            const double begin = begin_of(steps, i);
            if (begin < never) {
                row_likely_ &= row_likely_ - 1;
                row_next_ = i + 1;
                return {i, begin};
            }
        }
        row_begin_ += row;
        if (row_begin_ >= size_) {
            forget_row();
            return {};
        }
        row_likely_ = likely_of(search(row_begin_, 0), stretches_.data() + row_begin_);
    }
}

}  // namespace schedfarm::engine
