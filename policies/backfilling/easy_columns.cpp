#include "policies/backfilling/easy_columns.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "engine/foundation/cpu_dispatch.hpp"
#include "engine/foundation/special_values.hpp"

namespace schedfarm::policies {

using engine::infinity;

namespace {

constexpr std::size_t column_row = WaitingColumns::row;

constexpr std::size_t in_rows(std::size_t count, std::size_t row) {
    return (count + row - 1) / row * row;
}

// Eight numbers at once; where vectors are shorter, the compiler takes several.
constexpr std::size_t lanes = 8;
using Lanes [[gnu::vector_size(8 * lanes)]] = double;
using Flags [[gnu::vector_size(8 * lanes)]] = std::int64_t;
using UnalignedLanes [[gnu::aligned(8), gnu::may_alias]] = Lanes;

inline UnalignedLanes& at(double* place) {
    return *reinterpret_cast<UnalignedLanes*>(place);
}

inline const UnalignedLanes& at(const double* place) {
    return *reinterpret_cast<const UnalignedLanes*>(place);
}

/// Places in the columns of the running jobs.
struct Places {
    double* finish;
    double* planned_end;
    double* size;
};

/// Inserts before the jobs that finish earlier; `end` is behind the last job. Before the first job
/// are lanes whose finish is infinity.
SCHEDFARM_VECTOR_CLONES
void insert(Places end, const RunningJob& job) {
    const Lanes finish = Lanes{} + job.finish;
    const Lanes planned_end = Lanes{} + job.planned_end;
    const Lanes size = Lanes{} + job.size;
    do {
        end = {end.finish - lanes, end.planned_end - lanes, end.size - lanes};
        // An entry becomes the one before it, or the job if that one stays.
        const Flags stays = at(end.finish + 1) >= finish;
        const Flags is_behind = at(end.finish) >= finish;
        const Lanes new_finish = is_behind ? finish : at(end.finish);
        const Lanes new_end = is_behind ? planned_end : at(end.planned_end);
        const Lanes new_size = is_behind ? size : at(end.size);
        at(end.finish + 1) = stays ? at(end.finish + 1) : new_finish;
        at(end.planned_end + 1) = stays ? at(end.planned_end + 1) : new_end;
        at(end.size + 1) = stays ? at(end.size + 1) : new_size;
    } while (*end.finish < job.finish);
}

/// Jobs parted by their planned ends.
struct Parted {
    double time = 0;   ///< at which
    double size = 0;   ///< of those that end by then, together
    double last = 0;   ///< the last end among them
    double first = 0;  ///< the first end of the others
};

/// `count` is a multiple of 8; the columns are padded with infinity and 0.
SCHEDFARM_VECTOR_CLONES
void part_at(
    double time, const double* planned_end, const double* size, std::size_t count, Parted& result
) {
    const Lanes never = Lanes{} + infinity;
    const Lanes none = {};
    Lanes sum = none;
    Lanes last = -never;
    Lanes first = never;
    for (std::size_t i = 0; i < count; i += lanes) {
        const Lanes end = at(planned_end + i);
        const Flags is_by_then = end <= time;
        const Lanes until = is_by_then ? end : -never;
        const Lanes later = is_by_then ? never : end;
        sum += is_by_then ? at(size + i) : none;
        last = until > last ? until : last;
        first = later < first ? later : first;
    }
    result = {time, sum[0], last[0], first[0]};
    for (std::size_t i = 1; i < lanes; ++i) {
        result.size += sum[i];
        result.last = std::max(result.last, last[i]);
        result.first = std::min(result.first, first[i]);
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
    const WaitingColumns::Limits most = limits;
    std::uint64_t result = 0;
    for (; begin < count && result == 0; begin += column_row) {
#pragma GCC unroll 1  // unrolled it is not vectorised
        for (std::size_t i = 0; i < column_row; ++i) {
            const bool fits = size[begin + i] <= most.free;
            const bool is_extra = size[begin + i] <= most.extra;
            const bool ends_in_time = most.now + request[begin + i] <= most.shadow;
            result |= (fits & (is_extra | ends_in_time)) ? bits[i] : 0;
        }
    }
    begin -= column_row;
    return result;
}

}  // namespace

RunningColumns::RunningColumns(std::size_t most)
    : finish_(in_rows(most, lanes) + 2 * lanes, -infinity)
    , planned_end_(finish_.size(), infinity)
    , size_(finish_.size(), 0)
    , end_(lanes) {
    std::fill_n(finish_.begin(), lanes, infinity);
}

void RunningColumns::add(const RunningJob& job) {
    insert({&finish_[end_], &planned_end_[end_], &size_[end_]}, job);
    ++end_;
}

RunningColumns::Forecast RunningColumns::forecast(double needed, double free, double now) const {
    const auto parted_at = [this](double time) {
        Parted result;
        part_at(time, &planned_end_[lanes], &size_[lanes], in_rows(end_ - lanes, lanes), result);
        return result;
    };
    const double missing = needed - free;
    Parted until = parted_at(now);
    if (until.size >= missing) {
        return {.shadow = now, .extra = until.size - missing};
    }
    Parted before;
    const auto move_to = [&](double time) {
        before = until;
        until = parted_at(time);
    };
    // The shadow is mostly among the first ends; else it is searched for by halves.
    constexpr int first_ends = 8;
    for (int i = 0; i < first_ends && until.size < missing; ++i) {
        move_to(until.first);
    }
    for (const double time : {std::numeric_limits<double>::max(), infinity}) {
        if (until.size < missing) {
            move_to(time);
        }
    }
    while (before.first < until.last) {
        const Parted middle = parted_at(before.time + (until.last - before.time) / 2);
        (middle.size < missing ? before : until) = middle;
    }
    return {
        .shadow = until.last, .extra = until.size - missing, .at_once = until.size - before.size};
}

void WaitingColumns::add(const engine::JobRecord& job, double request) {
    constexpr std::size_t few = 32;
    if (end_ > few + 2 * live_) {
        close_holes();
    }
    const std::size_t place = end_++;
    if (place == size_.size()) {
        size_.resize(in_rows(2 * place + 1, row), infinity);
        request_.resize(size_.size());
        jobs_.resize(size_.size());
    }
    jobs_[place] = job;
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
    found.jobs =
        jobs_to_start(size_.data(), request_.data(), in_rows(end_, row), limits, found.begin);
    return found;
}

void WaitingColumns::close_holes() {
    std::size_t kept = 0;
    for (std::size_t place = head_; place < end_; ++place) {
        if (size_[place] < infinity) {
            size_[kept] = size_[place];
            request_[kept] = request_[place];
            jobs_[kept] = jobs_[place];
            ++kept;
        }
    }
    std::fill(size_.begin() + static_cast<std::ptrdiff_t>(kept), size_.end(), infinity);
    end_ = kept;
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
