#include "policies/easy_columns.hpp"

#include <algorithm>
#include <array>

#include "engine/foundation/vector_clones.hpp"

namespace schedfarm::policies {

namespace {

constexpr std::size_t times_row = 16;
constexpr std::size_t column_row = WaitingColumns::row;

constexpr std::size_t in_rows(std::size_t count, std::size_t row) {
    return (count + row - 1) / row * row;
}

// Loops over a row are not unrolled, or they would not be vectorised. No loop depends on where in a
// row something lies: such branches would be guessed wrong.

/// How many of the values are greater than `limit`; `count` is a multiple of times_row.
SCHEDFARM_VECTOR_CLONES
std::size_t count_greater(const double* values, std::size_t count, double limit) {
    std::uint64_t found = 0;
    for (std::size_t row = 0; row < count; row += times_row) {
#pragma GCC unroll 1
        for (std::size_t i = 0; i < times_row; ++i) {
            found += values[row + i] > limit ? 1U : 0U;
        }
    }
    return found;
}

/// Inserts where the first time that is not greater lies. Both arrays are preceded by an entry, its
/// time infinity, and `count`, a multiple of times_row, goes beyond all entries.
SCHEDFARM_VECTOR_CLONES
void insert(
    double* times, std::uint64_t* numbers, std::size_t count, double time, std::uint64_t number
) {
    std::array<double, times_row> new_times = {};
    std::array<std::uint64_t, times_row> new_numbers = {};
    do {
        count -= times_row;
        double* const t = times + count;
        std::uint64_t* const n = numbers + count;
#pragma GCC unroll 1
        for (std::size_t i = 0; i < times_row; ++i) {
            const double moved_time = t[i - 1] > time ? time : t[i - 1];
            const std::uint64_t moved_number = t[i - 1] > time ? number : n[i - 1];
            new_times[i] = t[i] > time ? t[i] : moved_time;
            new_numbers[i] = t[i] > time ? n[i] : moved_number;
        }
        std::copy(new_times.begin(), new_times.end(), t);
        std::copy(new_numbers.begin(), new_numbers.end(), n);
    } while (times[static_cast<std::ptrdiff_t>(count) - 1] <= time);
}

/// Moves what lies behind `at` one place ahead. The arrays go on behind `count`, a multiple of
/// times_row.
SCHEDFARM_VECTOR_CLONES
void erase(double* times, std::uint64_t* numbers, std::size_t count, std::size_t at) {
    for (std::size_t row = at / times_row * times_row; row < count; row += times_row) {
#pragma GCC unroll 1
        for (std::size_t i = row; i < row + times_row; ++i) {
            times[i] = i < at ? times[i] : times[i + 1];
            numbers[i] = i < at ? numbers[i] : numbers[i + 1];
        }
    }
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
    : time_(in_rows(most + 1, times_row) + 2, -infinity), number_(time_.size()) {
    time_[0] = infinity;
}

void DecreasingTimes::add(double time, std::uint32_t number) {
    insert(time_.data() + 1, number_.data() + 1, in_rows(count_, times_row), time, number);
    ++count_;
}

void DecreasingTimes::remove(double time, std::uint32_t number) {
    const std::size_t count = in_rows(count_ - 1, times_row);
    std::size_t at = count_greater(time_.data() + 1, count, time);
    while (number_[at + 1] != number) {
        ++at;
    }
    erase(time_.data() + 1, number_.data() + 1, count, at);
    --count_;
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
    auto missing = static_cast<std::int64_t>(needed - free);
    while (missing > 0) {
        missing -= ends_.number(--place);
    }
    const double shadow = std::max(ends_.time(place), now);
    while (ends_.time(place - 1) <= shadow) {
        missing -= ends_.number(--place);
    }
    return {shadow, static_cast<double>(-missing)};
}

void WaitingColumns::add(const engine::JobRecord& job, double request) {
    constexpr std::size_t few = 64;
    if (jobs_.size() > few + 2 * live_) {
        close_holes();
    }
    const std::size_t place = jobs_.size();
    jobs_.push_back(job);
    if (place == size_.size()) {
        size_.resize(in_rows(2 * place + 1, row), infinity);
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
    Row found{begin, 0};
    found.jobs = jobs_to_start(
        size_.data(), request_.data(), in_rows(jobs_.size(), row), limits, found.begin
    );
    return found;
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
