// The changes of StepFunction.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "engine/planning/profile/step_function.hpp"

namespace schedfarm::engine {

namespace {

constexpr std::size_t block = StepFunction::block;

/// Of some changes: from each of these times on, in their order, an amount is added, up to the
/// next; the last is 0.
template <std::size_t n>
struct Changes {
    std::array<double, n> from;
    std::array<std::int32_t, n> amounts;
};

/// Stretches that stay together where changes are made: part k begins at from[k], goes to to[k],
/// and there begins at begins[k]. The one in which a step comes ends one part and begins the next.
template <std::size_t parts>
struct Parts {
    std::array<std::size_t, parts + 1> to{};  // and where the last one ends
    std::array<std::size_t, parts> from{};
    std::array<double, parts> begins{};
    std::array<std::int32_t, parts> amounts{};
};

struct Stretches {
    double* times;
    std::int32_t* values;
    std::size_t count;
};

/// How many stretches begin before each of the times. Without branches, which would often be
/// guessed wrong.
template <std::size_t n>
std::array<std::size_t, n> count_before(const Stretches& all, const std::array<double, n>& limits) {
    std::array<std::size_t, n> found{};
    std::size_t left = all.count;
    for (; left > 1; left -= left / 2) {
        for (std::size_t k = 0; k < n; ++k) {
            found[k] += all.times[found[k] + left / 2 - 1] < limits[k] ? left / 2 : 0;
        }
    }
    for (std::size_t k = 0; k < n; ++k) {
        found[k] += all.times[found[k]] < limits[k] ? 1U : 0U;
    }
    return found;
}

/// The parts between changes. A step of a change comes in, or is there already; or goes, because
/// there is none any more.
template <std::size_t n>
Parts<n + 1> parts_between(const Stretches& all, const Changes<n>& changes) {
    const auto before = count_before(all, changes.from);
    Parts<n + 1> parts;
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
    parts.to[n + 1] = parts.to[n] + all.count - parts.from[n];
    return parts;
}

/// `count` of them, from one place on, so far towards the end.
void move_part(
    const Stretches& all,
    std::size_t from,
    std::ptrdiff_t way,
    std::size_t count,
    std::int32_t amount
) {
    double* const times = all.times + from;
    std::int32_t* const values = all.values + from;
    if (way != 0) {
        std::memmove(times + way, times, count * sizeof(double));
        std::memmove(values + way, values, count * sizeof(std::int32_t));
    }
    if (amount != 0) {
        for (std::size_t i = 0; i < count; ++i) {
            values[way + static_cast<std::ptrdiff_t>(i)] += amount;
        }
    }
}

}  // namespace

// Where the last part would go elsewhere, the first goes instead if it is shorter, into what was
// forgotten. Parts that go towards the end go first, the last of them ahead; then the others, the
// first ahead: none goes where another is yet to be taken from.
template <std::size_t n>
void StepFunction::change(
    const std::array<double, n>& from, const std::array<std::int32_t, n>& amounts
) {
    make_room();
    const Stretches all{times_.data() + front_, values_.data() + front_, count_};
    const Parts<n + 1> parts = parts_between(all, Changes<n>{from, amounts});
    const auto growth = static_cast<std::ptrdiff_t>(parts.to[n] - parts.from[n]);
    const bool first_goes = growth <= static_cast<std::ptrdiff_t>(front_)
                            && parts.to[1] < parts.to[n + 1] - parts.to[n];
    const std::ptrdiff_t ahead = first_goes ? growth : 0;
    front_ -= static_cast<std::size_t>(ahead);
    const auto way = [&](std::size_t k) {
        return static_cast<std::ptrdiff_t>(parts.to[k] - parts.from[k]) - ahead;
    };
    const auto move = [&](std::size_t k) {
        const std::size_t behind = k < n ? 0 : block;  // the times never
        const std::size_t count = parts.to[k + 1] - parts.to[k] + behind;
        move_part(all, parts.from[k], way(k), count, parts.amounts[k]);
    };
    for (std::size_t k = n + 1; k-- > 0;) {
        if (way(k) > 0) {
            move(k);
        }
    }
    for (std::size_t k = 0; k <= n; ++k) {
        if (way(k) <= 0) {
            move(k);
        }
    }
    for (std::size_t k = 1; k <= n; ++k) {
        times_[front_ + parts.to[k]] = parts.begins[k];
    }
    count_ = parts.to[n + 1];
    for (std::size_t k = 0; k < n; ++k) {
        if (amounts[k] > 0) {
            raises_[raise_count_++ % raises_.size()] = {
                from[k], from[k + 1], parts.to[k + 1], amounts[k]};
        }
    }
}

void StepFunction::add(double begin, double end, std::int32_t amount) {
    const double known = std::max(begin, times()[0]);
    if (known < end) {
        change<2>({known, end}, {amount, 0});
    }
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
