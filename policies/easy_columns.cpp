#include "policies/easy_columns.hpp"

#include <algorithm>
#include <array>

#include "engine/foundation/vector_clones.hpp"

namespace schedfarm::policies {

namespace {

constexpr std::size_t in_whole_rows(std::size_t count) {
    return (count + column_row - 1) / column_row * column_row;
}

/// How many of the values are greater than `limit`; `count` is a multiple of column_row.
SCHEDFARM_VECTOR_CLONES
std::size_t count_greater(const double* values, std::size_t count, double limit) {
    std::uint64_t found = 0;
    for (std::size_t i = 0; i < count; ++i) {
        found += values[i] > limit ? 1U : 0U;
    }
    return found;
}

// The numbers of their bits; a constant for the loop below.
constexpr auto bits = [] {
    std::array<std::uint64_t, column_row> result{};
    for (std::size_t i = 0; i < column_row; ++i) {
        result[i] = std::uint64_t{1} << i;
    }
    return result;
}();

/// The jobs that start, by bit, of the first row from `begin` on that has any, and where it begins.
SCHEDFARM_VECTOR_CLONES
std::uint64_t jobs_to_start(
    const double* size,
    const double* request,
    std::size_t count,
    const WaitingColumns::Limits& limits,
    std::size_t& begin
) {
    const WaitingColumns::Limits at = limits;
    std::uint64_t result = 0;
    for (; begin < count && result == 0; begin += column_row) {
#pragma GCC unroll 1  // unrolled it is not vectorised
        for (std::size_t i = 0; i < column_row; ++i) {
            const bool fits = size[begin + i] <= at.free;
            const bool is_extra = size[begin + i] <= at.extra;
            const bool ends_in_time = at.now + request[begin + i] <= at.shadow;
            result |= (fits & (is_extra | ends_in_time)) ? bits[i] : 0;
        }
    }
    begin -= column_row;
    return result;
}

}  // namespace

DecreasingTimes::DecreasingTimes(std::size_t most)
    : time_(in_whole_rows(most + 2), -infinity), number_(time_.size()) {
    time_[0] = infinity;
}

void DecreasingTimes::add(double time, std::uint32_t number) {
    const std::size_t at = count_greater(time_.data(), in_whole_rows(count_), time);
    std::copy_backward(time_.data() + at, time_.data() + count_, time_.data() + count_ + 1);
    std::copy_backward(number_.data() + at, number_.data() + count_, number_.data() + count_ + 1);
    time_[at] = time;
    number_[at] = number;
    ++count_;
}

void DecreasingTimes::remove(double time, std::uint32_t number) {
    std::size_t at = count_greater(time_.data(), in_whole_rows(count_), time);
    while (number_[at] != number) {
        ++at;
    }
    std::copy(time_.data() + at + 1, time_.data() + count_, time_.data() + at);
    std::copy(number_.data() + at + 1, number_.data() + count_, number_.data() + at);
    time_[--count_] = -infinity;
}

void RunningColumns::add(double finish, double planned_end, std::uint32_t size) {
    if (unused_slots_.empty()) {
        unused_slots_.push_back(static_cast<std::uint32_t>(slots_.size()));
        slots_.emplace_back();
    }
    const std::uint32_t slot = unused_slots_.back();
    unused_slots_.pop_back();
    slots_[slot] = {planned_end, size};
    finishes_.add(finish, slot);
    ends_.add(planned_end, size);
}

std::uint32_t RunningColumns::finish_next() {
    const std::uint32_t slot = finishes_.take_least();
    unused_slots_.push_back(slot);
    ends_.remove(slots_[slot].planned_end, slots_[slot].size);
    return slots_[slot].size;
}

RunningColumns::Forecast RunningColumns::forecast(double needed, double free, double now) const {
    std::size_t place = ends_.places();
    while (free < needed) {
        free += ends_.number(--place);
    }
    const double shadow = std::max(ends_.time(place), now);
    while (ends_.time(place - 1) <= shadow) {
        free += ends_.number(--place);
    }
    return {shadow, free - needed};
}

void WaitingColumns::add(const engine::JobRecord& job, double request) {
    constexpr std::size_t few = 64;
    if (jobs_.size() > few + 2 * live_) {
        close_holes();
    }
    const std::size_t place = jobs_.size();
    jobs_.push_back(job);
    if (place == size_.size()) {
        size_.resize(in_whole_rows(2 * place + 1), infinity);
        request_.resize(size_.size());
    }
    size_[place] = job.size;
    request_[place] = request;
    if (live_++ == 0) {
        head_ = place;
    } else {
        others_.add(job.size);
    }
}

void WaitingColumns::remove(std::size_t place) {
    --live_;
    size_[place] = infinity;
    if (place != head_) {
        others_.remove(jobs_[place].size);
    } else if (live_ > 0) {
        while (size_[head_] == infinity) {
            ++head_;
        }
        others_.remove(jobs_[head_].size);
    }
}

WaitingColumns::Row WaitingColumns::find_row(std::size_t begin, const Limits& limits) const {
    Row row{begin, 0};
    row.jobs = jobs_to_start(
        size_.data(), request_.data(), in_whole_rows(jobs_.size()), limits, row.begin
    );
    return row;
}

void WaitingColumns::close_holes() {
    std::size_t kept = 0;
    for (std::size_t place = head_; place < jobs_.size(); ++place) {
        if (size_[place] < infinity) {
            size_[kept] = size_[place];
            request_[kept] = request_[place];
            jobs_[kept] = jobs_[place];
            ++kept;
        }
    }
    std::fill(size_.begin() + static_cast<std::ptrdiff_t>(kept), size_.end(), infinity);
    jobs_.resize(kept);
    head_ = 0;
}

bool SizeCounts::has_any(std::uint32_t low, std::uint32_t high) const {
    if (low > high) {
        return false;
    }
    const std::uint64_t from_low = ~std::uint64_t{0} << low % 64;
    const std::uint64_t to_high = ~std::uint64_t{0} >> (63 - high % 64);
    std::uint64_t found = present_[low / 64] & from_low;
    for (std::uint32_t word = low / 64; word < high / 64;) {
        if (found != 0) {
            return true;
        }
        found = present_[++word];
    }
    return (found & to_high) != 0;
}

}  // namespace schedfarm::policies
