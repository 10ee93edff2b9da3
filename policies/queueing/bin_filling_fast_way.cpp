// Bin filling without a kernel: job t of row r is size number t * bin_rows + r of the workload, so
// that one step offers one job to every row. Total requests on all processors as one pool are
// filled in 32-bit lanes, one per row, side by side; everything is integer, so the result does not
// depend on the vector width. Other requests go through the placement, row by row. Both are tested
// bit for bit against a policy on the general kernel.
//
// Cost beside drawing: lanes about 0.3 ns per job with AVX-512; placement about 80 ns for four
// components on four clusters.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/foundation/expect.hpp"
#include "engine/foundation/vector_ways.hpp"
#include "engine/simulation/bin_filling_recorder.hpp"
#include "engine/simulation/workload_model.hpp"

#include "policies/fast_ways.hpp"

namespace schedfarm::policies {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

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

// Inlined, so that it becomes part of a function for some processors. For AVX2 GCC 12 takes vectors
// of 64 bytes apart lane by lane; for SSE2 it does them in four parts, faster than one after
// another.
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
            const Lanes next_hash = hash * BinFillingRow::hash_factor + (placed << 16) + idle;
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

#if SCHEDFARM_VECTOR_WAYS
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
    offer_in_vectors<64>(rows, sizes, steps, processors);
}

/// Total requests on all processors as one pool.
class PoolFilling final : public FastWay {
  public:
    explicit PoolFilling(SystemDescription system) : system_(std::move(system)) {}

    Observations run(
        const Experiment& experiment, const ProbeSet& /*probes*/, WorkloadModel& workload
    ) override {
        const std::uint64_t fills = experiment.horizon.fills;
        BinFillingRecorder recorder(experiment, system_);
        std::array<BinFillingRow, bin_rows> sums{};
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
            offer(rows, sizes.data(), steps, system_.processors());
            sizes.erase(
                sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(steps * bin_rows)
            );
            take_sums(rows, sums);
        }
        for (std::uint64_t row = 0; row < bin_rows; ++row) {
            sums[row].fills = fills_of_row(fills, row);
            sums[row].hash = rows.hash[row];
            recorder.set_row(row, sums[row]);
        }
        return recorder.finish();
    }

  private:
    static bool has_fills_left(const RowLanes& rows) {
        std::uint32_t left = 0;
        for (std::uint64_t row = 0; row < bin_rows; ++row) {
            left |= rows.fills_left[row];
        }
        return left != 0;
    }

    static void take_sums(RowLanes& rows, std::array<BinFillingRow, bin_rows>& sums) {
        for (std::uint64_t row = 0; row < bin_rows; ++row) {
            sums[row].placed += rows.placed_sum[row];
            sums[row].idle += rows.idle_sum[row];
            sums[row].idle_squared += rows.idle_squared_sum[row];
        }
        rows.placed_sum = rows.idle_sum = rows.idle_squared_sum = Numbers{};
    }

    SystemDescription system_;
};

/// Any requests, through the placement.
class PlacedFilling final : public FastWay {
  public:
    PlacedFilling(PlacementRule rule, SystemDescription system)
        : placer_(rule), system_(std::move(system)) {}

    Observations run(
        const Experiment& experiment, const ProbeSet& /*probes*/, WorkloadModel& workload
    ) override {
        const std::uint64_t fills = experiment.horizon.fills;
        BinFillingRecorder recorder(experiment, system_);
        std::array<Fill, bin_rows> current;
        for (std::uint64_t row = 0; row < bin_rows; ++row) {
            current[row].left = fills_of_row(fills, row);
            empty(current[row]);
        }
        JobBlock block;
        for (std::uint64_t fills_left = fills; fills_left > 0;) {
            draw_next(workload, block);
            for (std::size_t i = 0; i < block.count; ++i) {
                const std::uint64_t row = (block.first_index + i) % bin_rows;
                Fill& fill = current[row];
                if (fill.left > 0 && !place(block.job(i), fill)) {
                    recorder.add(row, fill.placed, fill.idle);
                    empty(fill);
                    --fill.left;
                    --fills_left;
                }
            }
        }
        return recorder.finish();
    }

  private:
    struct Fill {
        std::uint64_t left = 0;  // fills of the row to be ended
        std::uint32_t placed = 0;
        std::uint32_t idle = 0;
        std::vector<std::uint32_t> free;
    };

    void empty(Fill& fill) const {
        fill.placed = 0;
        fill.idle = system_.processors();
        fill.free = system_.clusters;
    }

    // Whether the job fits; one that does not must fit on the empty system.
    bool place(const Job& job, Fill& fill) {
        const auto shares = placer_.place(job, fill.free);
        if (shares.empty()) {
            SCHEDFARM_EXPECT(
                !placer_.place(job, system_.clusters).empty(),
                "job " + std::to_string(job.index) + " does not fit on the empty system"
            );
            return false;
        }
        for (const ClusterShare& share : shares) {
            fill.free[share.cluster.value] -= share.count;
            fill.idle -= share.count;
        }
        ++fill.placed;
        return true;
    }

    Placer placer_;
    SystemDescription system_;
};

}  // namespace

std::unique_ptr<FastWay> make_bin_filling_fast_way(
    PlacementRule rule, const FastWayContext& context
) {
    const SystemDescription& system = context.system;
    if (context.experiment.has_time() || !system.outages.empty()) {
        return nullptr;
    }
    const bool is_one_pool = context.workload->structure == RequestStructure::total
                             && context.workload->max_size <= system.processors()
                             && system.processors() <= RowLanes::most_processors;
    if (is_one_pool) {
        return std::make_unique<PoolFilling>(system);
    }
    return std::make_unique<PlacedFilling>(rule, system);
}

}  // namespace schedfarm::policies
