#include "app/run/twin.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "engine/foundation/expect.hpp"

namespace schedfarm::app {

namespace {

constexpr std::size_t most_twins = 4;
using Twins = std::array<double, most_twins>;  // as many as a vector register has

/// What all twins wait, and the sums of it.
struct Lindley {
    Twins wait{};
    Twins sum{};
    double last_submit = 0;
    double last_work = 0;

    /// The jobs first … end − 1 of a block. `counts`: 1 where they are measured, else 0.
    void serve(
        const engine::JobBlock& block,
        std::size_t first,
        std::size_t end,
        const Twins& rate,
        double per_work,
        double counts
    ) {
        Twins now = wait;
        Twins total = sum;
        for (std::size_t i = first; i < end; ++i) {
            const double gap = block.submit_time[i] - last_submit;
            for (std::size_t k = 0; k < most_twins; ++k) {
                now[k] = std::max(0.0, now[k] + (last_work - gap * rate[k]));
                total[k] += counts * now[k];
            }
            last_submit = block.submit_time[i];
            last_work = block.size[i] * block.service_time[i] * per_work;
        }
        wait = now;
        sum = total;
    }
};

}  // namespace

std::vector<double> twin_waits(
    engine::WorkloadModel& jobs, const engine::Horizon& horizon, std::span<const double> loads
) {
    SCHEDFARM_EXPECT(loads.size() <= most_twins, "a cell of more twins");
    const engine::WorkloadTraits& traits = jobs.traits();
    const double per_work = 1 / (*traits.mean_size * *traits.mean_service_time);
    Twins rate{};
    for (std::size_t k = 0; k < loads.size(); ++k) {
        rate[k] = 1 / (*traits.mean_interarrival_time * loads[k]);
    }
    Lindley twins;
    engine::JobBlock block;
    for (std::uint64_t job = 0; job < horizon.jobs; job += block.count) {
        engine::draw_next(jobs, block);
        const std::uint64_t end = std::min<std::uint64_t>(block.count, horizon.jobs - job);
        const std::uint64_t unmeasured = std::max(horizon.warm_up_jobs, job) - job;
        const std::uint64_t from = std::min(unmeasured, end);
        twins.serve(block, 0, from, rate, per_work, 0);
        twins.serve(block, from, end, rate, per_work, 1);
    }
    std::vector<double> means;
    for (std::size_t k = 0; k < loads.size(); ++k) {
        means.push_back(twins.sum[k] / static_cast<double>(horizon.jobs - horizon.warm_up_jobs));
    }
    return means;
}

}  // namespace schedfarm::app
