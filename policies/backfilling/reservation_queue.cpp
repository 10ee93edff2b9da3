#include "policies/backfilling/reservation_queue.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "engine/foundation/special_values.hpp"
#include "engine/foundation/vector_intrinsics.hpp"

namespace schedfarm::policies {

using engine::close_gaps;
using engine::never;

namespace {

using Fall = UnreservedJobs::Fall;
using Row = UnreservedJobs::Row;
using Limits = UnreservedJobs::Limits;

constexpr std::size_t row = UnreservedJobs::row;

struct Columns {
    std::size_t count;
    const double* sizes;
    const double* durations;
    const double* submit_times;
    const double* entitling_waits;
};

// find_some(): UnreservedJobs::find_row(); the free processors fall with time.
#if SCHEDFARM_CPU_DISPATCH
SCHEDFARM_AVX2 Row find_some(
    const Columns& all, std::size_t begin, const Limits& limits, std::span<const Fall> falls
) {
    const __m256d now = _mm256_set1_pd(limits.now);
    const __m256d least_end = _mm256_set1_pd(engine::planned_end(limits.now, 0));
    const __m256d entitling = _mm256_set1_pd(limits.entitling);
    const __m256d no_limit = _mm256_set1_pd(never);
    for (std::size_t i = begin; i < all.count; i += row) {
        std::uint32_t found = 0;
        for (std::size_t k = 0; k < row; k += 4) {
            const __m256d durations = _mm256_loadu_pd(all.durations + i + k);
            const __m256d end = _mm256_max_pd(_mm256_add_pd(now, durations), least_end);
            __m256d free = _mm256_set1_pd(limits.free);
            for (const Fall& fall : falls) {
                const __m256d counts = _mm256_cmp_pd(_mm256_set1_pd(fall.time), end, _CMP_LT_OQ);
                const __m256d then = _mm256_set1_pd(fall.free);
                free = _mm256_min_pd(free, _mm256_blendv_pd(no_limit, then, counts));
            }
            const __m256d sizes = _mm256_loadu_pd(all.sizes + i + k);
            const __m256d submit_times = _mm256_loadu_pd(all.submit_times + i + k);
            const __m256d enough = _mm256_loadu_pd(all.entitling_waits + i + k);
            const __m256d starts = _mm256_cmp_pd(sizes, free, _CMP_LE_OQ);
            const __m256d waits = _mm256_sub_pd(entitling, submit_times);
            const __m256d is_entitled = _mm256_cmp_pd(waits, enough, _CMP_GE_OQ);
            const int some = _mm256_movemask_pd(_mm256_or_pd(starts, is_entitled));
            found |= static_cast<std::uint32_t>(some) << k;
        }
        if (found != 0) {
            return {i, found};
        }
    }
    return {all.count, 0};
}
#endif

bool has_enough(double size, double end, std::span<const Fall> falls) {
    const auto first_short = std::find_if(falls.begin(), falls.end(), [&](const Fall& fall) {
        return fall.time >= end || fall.free < size;
    });
    return first_short == falls.end() || first_short->time >= end;
}

SCHEDFARM_ANY_PROCESSOR Row find_some(
    const Columns& all, std::size_t begin, const Limits& limits, std::span<const Fall> falls
) {
    const double least_end = engine::planned_end(limits.now, 0);
    for (std::size_t i = begin; i < all.count; i += row) {
        std::uint32_t found = 0;
        for (std::size_t k = 0; k < row; ++k) {
            const double size = all.sizes[i + k];
            const double end = std::max(limits.now + all.durations[i + k], least_end);
            const double wait = limits.entitling - all.submit_times[i + k];
            const bool is_found = (size <= limits.free && has_enough(size, end, falls))
                                  || wait >= all.entitling_waits[i + k];
            found |= std::uint32_t{is_found ? 1U : 0U} << k;
        }
        if (found != 0) {
            return {i, found};
        }
    }
    return {all.count, 0};
}

SCHEDFARM_VECTOR_CLONES
double least_of(const double* values, std::size_t count) {
    std::array<double, 16> least;
    least.fill(never);
    std::size_t begin = 0;
    for (; begin + least.size() <= count; begin += least.size()) {
        for (std::size_t i = 0; i < least.size(); ++i) {
            least[i] = values[begin + i] < least[i] ? values[begin + i] : least[i];
        }
    }
    double result = never;
    for (const double value : least) {
        result = std::min(result, value);
    }
    for (; begin < count; ++begin) {
        result = std::min(result, values[begin]);
    }
    return result;
}

std::size_t last_place(const std::vector<QueuedJob>& jobs, engine::JobId id) {
    const auto place = std::find_if(jobs.rbegin(), jobs.rend(), [id](const QueuedJob& job) {
        return job.id == id;
    });
    return static_cast<std::size_t>(
        (place == jobs.rend() ? jobs.end() : std::next(place).base()) - jobs.begin()
    );
}

}  // namespace

std::size_t ReservedJobs::place_of(engine::JobId id) const {
    return last_place(jobs_, id);
}

std::size_t UnreservedJobs::place_of(engine::JobId id) const {
    return last_place(jobs_, id);
}

void ReservedJobs::add(const QueuedJob& job, double start) {
    const std::size_t place = count_before(job.arrival);
    jobs_.insert(jobs_.begin() + static_cast<std::ptrdiff_t>(place), job);
    windows_.insert(place, static_cast<std::int32_t>(job.size), job.duration, start);
}

void ReservedJobs::remove(std::span<const std::size_t> places) {
    const std::size_t left = close_gaps(size(), places, [this](std::size_t from, std::size_t to) {
        jobs_[to] = jobs_[from];
    });
    jobs_.resize(left);
    windows_.remove(places);
}

// Most ask for the last.
std::size_t ReservedJobs::count_before(std::uint64_t arrival) const {
    if (jobs_.empty() || jobs_.back().arrival < arrival) {
        return jobs_.size();
    }
    const auto place =
        std::partition_point(jobs_.begin(), jobs_.end(), [arrival](const QueuedJob& job) {
            return job.arrival < arrival;
        });
    return static_cast<std::size_t>(place - jobs_.begin());
}

std::size_t ReservedJobs::next_due(std::size_t i, double time) const {
    const double* const starts = windows_.untils();
    return static_cast<std::size_t>(
        std::find_if(starts + i, starts + size(), [time](double start) { return start <= time; })
        - starts
    );
}

double ReservedJobs::first_start() const {
    return least_of(windows_.untils(), size());
}

void UnreservedJobs::add(const QueuedJob& job, double entitling_wait) {
    const std::size_t place = size();
    jobs_.push_back(job);
    if (place == sizes_.size()) {
        const std::size_t rows = place + row;
        sizes_.resize(rows, never);
        durations_.resize(rows, 0);
        submit_times_.resize(rows, 0);
        entitling_waits_.resize(rows, never);
    }
    sizes_[place] = job.size;
    durations_[place] = job.duration;
    submit_times_[place] = job.submit_time;
    entitling_waits_[place] = entitling_wait;
}

void UnreservedJobs::remove(std::span<const std::size_t> places) {
    const std::size_t left = close_gaps(size(), places, [this](std::size_t from, std::size_t to) {
        jobs_[to] = jobs_[from];
        sizes_[to] = sizes_[from];
        durations_[to] = durations_[from];
        submit_times_[to] = submit_times_[from];
        entitling_waits_[to] = entitling_waits_[from];
    });
    for (std::size_t i = left; i < size(); ++i) {
        sizes_[i] = never;
        entitling_waits_[i] = never;
    }
    jobs_.resize(left);
}

UnreservedJobs::Row UnreservedJobs::find_row(
    std::size_t begin, const Limits& limits, std::span<const Fall> falls
) const {
    const Columns all{
        size(), sizes_.data(), durations_.data(), submit_times_.data(), entitling_waits_.data()};
    return find_some(all, begin, limits, falls);
}

}  // namespace schedfarm::policies
