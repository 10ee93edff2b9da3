#include "models/trace/tables/seen_rows.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <functional>
#include <utility>

#include "models/trace/reading/number.hpp"

namespace schedfarm::models::trace {

namespace {

/// Of a slot the bits of a row, below those of its id.
constexpr unsigned row_bits = 24;
constexpr std::uint64_t of_row = (std::uint64_t{1} << row_bits) - 1;
constexpr std::int32_t year = 365;

}  // namespace

std::uint64_t row_hash_of(std::string_view text) {
    return row_mixed(std::hash<std::string_view>{}(text));
}

void SeenRows::place(std::uint64_t slot, std::uint16_t day) {
    std::size_t at = (slot >> row_bits) & (slots_.size() - 1);
    while (slots_[at] != 0) {
        at = (at + 1) & (slots_.size() - 1);
    }
    slots_[at] = slot;
    days_[at] = day;
}

SeenRows::Before SeenRows::insert(
    std::string_view id, std::uint64_t row, std::size_t expected, std::int32_t day
) {
    const auto number = id.front() >= '1' && id.front() <= '9' ? parse_integer(id) : std::nullopt;
    if (number && (rising_.empty() || *number > rising_.back().number)) {
        if (rising_.size() == rising_.capacity()) {
            rising_.reserve(std::max(expected, 2 * rising_.size()));
        }
        rising_.push_back(
            {*number, static_cast<std::uint32_t>(row & of_row), static_cast<std::uint16_t>(day)}
        );
        return Before::nothing;
    }
    const auto same =
        number ? std::ranges::lower_bound(rising_, *number, {}, &Numbered::number) : rising_.end();
    const bool is_there = same != rising_.end() && same->number == *number;
    if (is_there && same->row == (row & of_row)) {
        return Before::row;
    }
    const Before hashed = insert_hash(row_hash_of(id), row, expected, day);
    return hashed == Before::nothing && is_there && std::abs(day - same->day) <= year ? Before::id
                                                                                      : hashed;
}

SeenRows::Before SeenRows::insert_hash(
    std::uint64_t id, std::uint64_t row, std::size_t expected, std::int32_t day
) {
    const std::uint64_t slot = (id & ~of_row) | (row & of_row) | 1U;  // 0 is a free slot
    Before before = Before::nothing;
    for (std::size_t at = (slot >> row_bits) & (slots_.size() - 1); slots_[at] != 0;
         at = (at + 1) & (slots_.size() - 1)) {
        if (slots_[at] == slot) {
            return Before::row;
        }
        const bool is_same_job =
            (slots_[at] & ~of_row) == (slot & ~of_row) && std::abs(day - days_[at]) <= year;
        before = is_same_job ? Before::id : before;
    }
    place(slot, static_cast<std::uint16_t>(day));
    if (3 * ++count_ > 2 * slots_.size()) {
        const std::size_t size = std::max(2 * slots_.size(), std::bit_ceil(3 * expected / 2));
        const auto slots = std::exchange(slots_, std::vector<std::uint64_t>(size));
        const auto days = std::exchange(days_, std::vector<std::uint16_t>(size));
        for (std::size_t i = 0; i < slots.size(); ++i) {
            if (slots[i] != 0) {
                place(slots[i], days[i]);
            }
        }
    }
    return before;
}

}  // namespace schedfarm::models::trace
