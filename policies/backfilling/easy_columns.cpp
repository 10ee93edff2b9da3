#include "policies/backfilling/easy_columns.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "engine/foundation/cpu_dispatch.hpp"
#include "engine/foundation/special_values.hpp"

namespace schedfarm::policies {

using engine::Doubles;
using engine::infinity;

namespace {

constexpr std::size_t column_row = WaitingColumns::row;

constexpr std::size_t in_rows(std::size_t count, std::size_t row) {
    return (count + row - 1) / row * row;
}

constexpr std::size_t most_lanes = 8;  // the columns are padded for them

/// Places in the columns of the running jobs.
struct Places {
    double* finish;
    double* planned_end;
    double* size;
};

/// Inserts before the jobs that finish earlier; `end` is behind the last job. Before the first job
/// are lanes whose finish is infinity.
template <std::size_t bytes>
[[gnu::always_inline]] inline void insert_in_vectors(Places end, const RunningJob& job) {
    using V = Doubles<bytes>;
    using Lanes = typename V::Lanes;
    using Flags = typename V::Flags;
    const Lanes finish = Lanes{} + job.finish;
    const Lanes planned_end = Lanes{} + job.planned_end;
    const Lanes size = Lanes{} + job.size;
    do {
        end = {end.finish - V::lanes, end.planned_end - V::lanes, end.size - V::lanes};
        // An entry becomes the one before it, or the job if that one stays.
        const Flags stays = V::at(end.finish + 1) >= finish;
        const Flags is_behind = V::at(end.finish) >= finish;
        const Lanes new_finish = is_behind ? finish : V::at(end.finish);
        const Lanes new_end = is_behind ? planned_end : V::at(end.planned_end);
        const Lanes new_size = is_behind ? size : V::at(end.size);
        V::at(end.finish + 1) = stays ? V::at(end.finish + 1) : new_finish;
        V::at(end.planned_end + 1) = stays ? V::at(end.planned_end + 1) : new_end;
        V::at(end.size + 1) = stays ? V::at(end.size + 1) : new_size;
    } while (*end.finish < job.finish);
}

/// Jobs parted by their planned ends.
struct Parted {
    double time = 0;   ///< at which
    double size = 0;   ///< of those that end by then, together
    double last = 0;   ///< the last end among them
    double first = 0;  ///< the first end of the others
};

/// Jobs as part_at() takes them; `count` is a multiple of most_lanes, and the columns are padded
/// with infinity and 0.
struct PlannedJobs {
    const double* planned_end;
    const double* size;
    std::size_t count;
};

template <std::size_t bytes>
[[gnu::always_inline]] inline Parted part_in_vectors(double time, const PlannedJobs& jobs) {
    using V = Doubles<bytes>;
    using Lanes = typename V::Lanes;
    const Lanes never = Lanes{} + infinity;
    const Lanes none = {};
    Lanes sum = none;
    Lanes last = -never;
    Lanes first = never;
    for (std::size_t i = 0; i < jobs.count; i += V::lanes) {
        const Lanes end = V::at(jobs.planned_end + i);
        const typename V::Flags is_by_then = end <= time;
        const Lanes until = is_by_then ? end : -never;
        const Lanes later = is_by_then ? never : end;
        sum += is_by_then ? V::at(jobs.size + i) : none;
        last = until > last ? until : last;
        first = later < first ? later : first;
    }
    Parted result{time, sum[0], last[0], first[0]};
    for (std::size_t i = 1; i < V::lanes; ++i) {
        result.size += sum[i];
        result.last = std::max(result.last, last[i]);
        result.first = std::min(result.first, first[i]);
    }
    return result;
}

#if SCHEDFARM_CPU_DISPATCH
SCHEDFARM_AVX512 void insert(const Places& end, const RunningJob& job) {
    insert_in_vectors<64>(end, job);
}
SCHEDFARM_AVX2 void insert(const Places& end, const RunningJob& job) {
    insert_in_vectors<32>(end, job);
}
SCHEDFARM_AVX512 Parted part_at(double time, const PlannedJobs& jobs) {
    return part_in_vectors<64>(time, jobs);
}
SCHEDFARM_AVX2 Parted part_at(double time, const PlannedJobs& jobs) {
    return part_in_vectors<32>(time, jobs);
}
#endif
SCHEDFARM_ANY_PROCESSOR void insert(const Places& end, const RunningJob& job) {
    insert_in_vectors<16>(end, job);
}
SCHEDFARM_ANY_PROCESSOR Parted part_at(double time, const PlannedJobs& jobs) {
    return part_in_vectors<16>(time, jobs);
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
    : finish_(in_rows(most, most_lanes) + 2 * most_lanes, -infinity)
    , planned_end_(finish_.size(), infinity)
    , size_(finish_.size(), 0)
    , end_(most_lanes) {
    std::fill_n(finish_.begin(), most_lanes, infinity);
}

void RunningColumns::add(const RunningJob& job) {
    insert({&finish_[end_], &planned_end_[end_], &size_[end_]}, job);
    ++end_;
}

RunningColumns::Forecast RunningColumns::forecast(double needed, double free, double now) const {
    const auto parted_at = [this](double time) {
        constexpr std::size_t begin = most_lanes;
        return part_at(
            time, {&planned_end_[begin], &size_[begin], in_rows(end_ - begin, most_lanes)}
        );
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
