#include "app/plan/log_blocks.hpp"

#include <algorithm>

#include "models/trace/reading/blocks.hpp"

#include "app/config/fixed_jobs.hpp"

namespace schedfarm::app {

namespace {

using models::trace::Resampling;

double variance_ratio(
    const models::trace::Blocks& blocks, Resampling resampling, std::uint64_t jobs
) {
    const double laps = static_cast<double>(jobs) / static_cast<double>(blocks.jobs);
    return std::max(
        laps, resampling == Resampling::weeks ? 1 / static_cast<double>(blocks.count) : 1
    );
}

}  // namespace

std::optional<engine::LogBlocks> log_blocks(
    const engine::Choice& workload, const engine::Horizon& horizon
) {
    std::optional<engine::LogBlocks> result;
    holds_inside(workload, [&](const engine::Choice& inner) {
        if (!is_log(inner)) {
            return false;
        }
        const models::trace::TraceSettings settings(inner.parameters);
        const auto blocks =
            models::trace::blocks_of(*models::trace::prepared_log(settings), settings.resampling);
        if (blocks.count > 1) {
            result = {
                .count = blocks.count,
                .variance_ratio = variance_ratio(blocks, settings.resampling, horizon.jobs)};
        }
        return true;
    });
    return result;
}

std::optional<engine::LogBlocks> in_common(
    const std::optional<engine::LogBlocks>& a, const std::optional<engine::LogBlocks>& b
) {
    if (!a || !b) {
        return a ? a : b;
    }
    return engine::LogBlocks{
        .count = std::min(a->count, b->count),
        .variance_ratio = std::max(a->variance_ratio, b->variance_ratio)};
}

}  // namespace schedfarm::app
