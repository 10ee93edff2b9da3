#include "engine/planning/bin_filling.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "engine/foundation/cpu_dispatch.hpp"
#include "engine/foundation/expect.hpp"
#include "engine/foundation/hash.hpp"

namespace schedfarm::engine {

namespace {

constexpr std::uint32_t hash_factor = 0x9e3779b1U;

/// Sums over the fills of one row.
struct BinFillingRow {
    std::uint64_t placed = 0;
    std::uint64_t idle = 0;
    std::uint64_t idle_squared = 0;
    std::uint32_t hash = 0;
};

using BinFillingRows = std::array<BinFillingRow, bin_rows>;

/// Fills of row r among `fills` fills.
constexpr std::uint64_t fills_of_row(std::uint64_t fills, std::uint64_t row) {
    return (fills + bin_rows - 1 - row) / bin_rows;
}

Observations observations_of(
    const BinFillingRows& rows, std::uint64_t fill_count, std::uint32_t processors
) {
    BinFillingRow sum;
    Observations result;
    for (std::uint64_t row = 0; row < bin_rows; ++row) {
        sum.placed += rows[row].placed;
        sum.idle += rows[row].idle;
        sum.idle_squared += rows[row].idle_squared;
        result.fingerprint += mix((row << 32) + rows[row].hash + 1);
    }
    const auto fills = static_cast<double>(fill_count);
    const double mean_idle = static_cast<double>(sum.idle) / fills;
    const double squares = static_cast<double>(sum.idle_squared) - mean_idle * mean_idle * fills;
    const double sd = fill_count > 1 ? std::sqrt(std::max(0.0, squares) / (fills - 1))
                                     : std::numeric_limits<double>::quiet_NaN();
    const double loss = mean_idle / processors;
    result.jobs = sum.placed;
    result.events = sum.placed + fill_count;  // and the job that ends each fill
    result.values = {loss, sd / processors, 1 - loss, static_cast<double>(sum.placed) / fills};
    return result;
}

/// One 32-bit number per row.
using Numbers = std::array<std::uint32_t, bin_rows>;

/// Numbers of so many bytes side by side in a vector.
template <std::size_t bytes>
struct Vector {
    // NOLINTBEGIN(modernize-use-using): GCC 12 would lose the attribute
    typedef std::uint32_t Lanes __attribute__((vector_size(bytes)));
    typedef std::int32_t SignedLanes __attribute__((vector_size(bytes)));
    // NOLINTEND(modernize-use-using)
};

/// The rows of fills side by side, with sums since they were last taken. The sums stay below 2^32
/// for as many steps and processors as given here.
struct alignas(64) RowLanes {
    static constexpr std::size_t most_steps = JobBlock::capacity / bin_rows;
    static constexpr std::uint32_t most_processors = 8192;

    Numbers used{};    // processors taken in the current fill
    Numbers placed{};  // jobs placed in the current fill
    Numbers fills_left{};
    Numbers hash{};
    Numbers placed_sum{};
    Numbers idle_sum{};
    Numbers idle_squared_sum{};
};

template <typename Lanes>
[[gnu::always_inline]] inline Lanes& at(Numbers& numbers, std::size_t first) {
    return reinterpret_cast<Lanes&>(numbers[first]);
}

// Inlined, so that it becomes part of a function for some processors.
/// Offers sizes[t * bin_rows + r] to row r for t = 0 … steps − 1; rows without fills left stay as
/// they are but for `used` and `placed`.
template <std::size_t bytes>
[[gnu::always_inline]] inline void offer_in_vectors(
    RowLanes& rows, const std::uint32_t* sizes, std::size_t steps, std::uint32_t processors
) {
    using Lanes = typename Vector<bytes>::Lanes;
    using SignedLanes = typename Vector<bytes>::SignedLanes;
    const Lanes all = processors - Lanes{};
    for (std::size_t first = 0; first < bin_rows; first += bytes / sizeof(std::uint32_t)) {
        Lanes used = at<Lanes>(rows.used, first);
        Lanes placed = at<Lanes>(rows.placed, first);
        Lanes fills_left = at<Lanes>(rows.fills_left, first);
        Lanes hash = at<Lanes>(rows.hash, first);
        Lanes placed_sum = at<Lanes>(rows.placed_sum, first);
        Lanes idle_sum = at<Lanes>(rows.idle_sum, first);
        Lanes idle_squared_sum = at<Lanes>(rows.idle_squared_sum, first);
        for (std::size_t step = 0; step < steps; ++step) {
            Lanes size;
            std::memcpy(&size, sizes + step * bin_rows + first, sizeof size);
            const Lanes wanted = used + size;
            const auto too_many = reinterpret_cast<Lanes>(
                reinterpret_cast<SignedLanes>(wanted) > reinterpret_cast<SignedLanes>(all)
            );
            const Lanes ends = too_many & reinterpret_cast<Lanes>(fills_left != Lanes{});
            const Lanes idle = all - used;
            const Lanes next_hash = hash * hash_factor + (placed << 16) + idle;
            hash = (next_hash & ends) | (hash & ~ends);
            placed_sum += placed & ends;
            idle_sum += idle & ends;
            idle_squared_sum += (idle * idle) & ends;
            fills_left += ends;  // all ones are −1
            used = wanted & ~ends;
            placed = (placed + 1) & ~ends;
        }
        at<Lanes>(rows.used, first) = used;
        at<Lanes>(rows.placed, first) = placed;
        at<Lanes>(rows.fills_left, first) = fills_left;
        at<Lanes>(rows.hash, first) = hash;
        at<Lanes>(rows.placed_sum, first) = placed_sum;
        at<Lanes>(rows.idle_sum, first) = idle_sum;
        at<Lanes>(rows.idle_squared_sum, first) = idle_squared_sum;
    }
}

#if SCHEDFARM_CPU_DISPATCH
SCHEDFARM_AVX512 void offer(
    RowLanes& rows, const std::uint32_t* sizes, std::size_t steps, std::uint32_t processors
) {
    offer_in_vectors<64>(rows, sizes, steps, processors);
}

SCHEDFARM_AVX2 void offer(
    RowLanes& rows, const std::uint32_t* sizes, std::size_t steps, std::uint32_t processors
) {
    offer_in_vectors<32>(rows, sizes, steps, processors);
}
#endif

SCHEDFARM_ANY_PROCESSOR void offer(
    RowLanes& rows, const std::uint32_t* sizes, std::size_t steps, std::uint32_t processors
) {
    offer_in_vectors<16>(rows, sizes, steps, processors);
}

bool has_fills_left(const RowLanes& rows) {
    std::uint32_t left = 0;
    for (const std::uint32_t fills : rows.fills_left) {
        left |= fills;
    }
    return left != 0;
}

void take_sums(RowLanes& rows, BinFillingRows& sums) {
    for (std::uint64_t row = 0; row < bin_rows; ++row) {
        sums[row].placed += rows.placed_sum[row];
        sums[row].idle += rows.idle_sum[row];
        sums[row].idle_squared += rows.idle_squared_sum[row];
        sums[row].hash = rows.hash[row];
    }
    rows.placed_sum = rows.idle_sum = rows.idle_squared_sum = Numbers{};
}

/// Total requests on all processors as one pool.
BinFillingRows fill_pool(std::uint32_t processors, std::uint64_t fills, WorkloadModel& workload) {
    BinFillingRows sums{};
    RowLanes rows;
    for (std::uint64_t row = 0; row < bin_rows; ++row) {
        rows.fills_left[row] = static_cast<std::uint32_t>(fills_of_row(fills, row));
    }
    JobBlock block;
    std::vector<std::uint32_t> sizes;  // not yet offered
    while (has_fills_left(rows)) {
        draw_next(workload, block);
        sizes.insert(
            sizes.end(),
            block.size.begin(),
            block.size.begin() + static_cast<std::ptrdiff_t>(block.count)
        );
        const std::size_t steps = sizes.size() / bin_rows;
        offer(rows, sizes.data(), steps, processors);
        sizes.erase(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(steps * bin_rows));
        take_sums(rows, sums);
    }
    return sums;
}

/// A row of fills through the placement, and its current fill.
struct PlacedRow {
    BinFillingRow sums;
    std::uint64_t fills_left = 0;
    std::uint32_t placed = 0;
    std::uint32_t idle = 0;
    std::vector<std::uint32_t> free;

    void begin_fill(const SystemDescription& system) {
        placed = 0;
        idle = system.processors();
        free = system.clusters;
    }

    void end_fill() {
        sums.placed += placed;
        sums.idle += idle;
        sums.idle_squared += std::uint64_t{idle} * idle;
        sums.hash = sums.hash * hash_factor + (placed << 16) + idle;
        --fills_left;
    }

    /// False if the job does not fit.
    bool place(const Job& job, Placer& placer) {
        const auto shares = placer.place(job, free);
        for (const ClusterShare& share : shares) {
            free[share.cluster.value] -= share.count;
            idle -= share.count;
        }
        placed += shares.empty() ? 0U : 1U;
        return !shares.empty();
    }
};

/// Any requests, through the placement.
BinFillingRows fill_clusters(
    PlacementRule rule,
    const SystemDescription& system,
    std::uint64_t fills,
    WorkloadModel& workload
) {
    Placer placer(rule);
    std::array<PlacedRow, bin_rows> rows;
    for (std::uint64_t row = 0; row < bin_rows; ++row) {
        rows[row].fills_left = fills_of_row(fills, row);
        rows[row].begin_fill(system);
    }
    JobBlock block;
    for (std::uint64_t fills_left = fills; fills_left > 0;) {
        draw_next(workload, block);
        for (std::size_t i = 0; i < block.count; ++i) {
            PlacedRow& row = rows[(block.first_index + i) % bin_rows];
            const Job job = block.job(i);
            if (row.fills_left > 0 && !row.place(job, placer)) {
                SCHEDFARM_EXPECT(
                    !placer.place(job, system.clusters).empty(),
                    "job " + std::to_string(job.index) + " does not fit on the empty system"
                );
                row.end_fill();
                row.begin_fill(system);
                --fills_left;
            }
        }
    }
    BinFillingRows sums;
    std::transform(rows.begin(), rows.end(), sums.begin(), [](const PlacedRow& row) {
        return row.sums;
    });
    return sums;
}

}  // namespace

Observations fill_bins(
    PlacementRule rule,
    const SystemDescription& system,
    std::uint64_t fills,
    WorkloadModel& workload
) {
    SCHEDFARM_EXPECT(fills > 0, "bin filling was asked for without fills");
    const std::uint32_t processors = system.processors();
    const WorkloadTraits& traits = workload.traits();
    const bool is_one_pool = traits.structure == RequestStructure::total
                             && traits.max_size <= processors
                             && processors <= RowLanes::most_processors;
    return observations_of(
        is_one_pool ? fill_pool(processors, fills, workload)
                    : fill_clusters(rule, system, fills, workload),
        fills,
        processors
    );
}

}  // namespace schedfarm::engine
