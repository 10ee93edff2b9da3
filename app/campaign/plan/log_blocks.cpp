#include "app/campaign/plan/log_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "models/trace/reading/blocks.hpp"

#include "app/campaign/checks/fixed_jobs.hpp"

namespace schedfarm::app {

namespace {

using models::trace::Resampling;

/// One of the logs that a workload draws from.
struct SourceLog {
    std::string text;  ///< its file and all its settings
    Resampling resampling = Resampling::none;
    models::trace::Blocks blocks;
};

/// Each log once, however many homes have it.
std::vector<SourceLog> logs_of(const engine::Choice& workload) {
    std::vector<SourceLog> logs;
    for (const engine::Parameters& log : facts_of(workload).logs) {
        const std::string text = log.text();
        if (std::ranges::find(logs, text, &SourceLog::text) == logs.end()) {
            const models::trace::TraceSettings settings(log);
            logs.push_back(
                {text,
                 settings.resampling,
                 blocks_of(*models::trace::prepared_log(settings), settings.resampling)}
            );
        }
    }
    return logs;
}

/// `jobs`: of this log in a replication.
engine::LogBlocks blocks_of(const SourceLog& log, double jobs) {
    const bool is_by_weeks = log.resampling == Resampling::weeks;
    const auto count = static_cast<double>(log.blocks.count);
    return {
        .count = std::max<std::uint64_t>(
            2, static_cast<std::uint64_t>(std::floor(log.blocks.effective + 0.5))
        ),
        .variance_ratio =
            std::max(jobs / static_cast<double>(log.blocks.jobs), is_by_weeks ? 1 / count : 1),
        .unit = is_by_weeks ? engine::BlockUnit::weeks : engine::BlockUnit::users};
}

}  // namespace

std::optional<engine::LogBlocks> log_blocks(
    const engine::Choice& workload, const engine::Horizon& horizon
) {
    const std::vector<SourceLog> logs = logs_of(workload);
    double jobs_per_s = 0;
    for (const SourceLog& log : logs) {
        jobs_per_s += log.blocks.jobs_per_s();
    }
    std::optional<engine::LogBlocks> result;
    for (const SourceLog& log : logs) {
        if (log.blocks.count > 1) {
            const double share = log.blocks.jobs_per_s() / jobs_per_s;
            result = in_common(result, blocks_of(log, static_cast<double>(horizon.jobs) * share));
        }
    }
    return result;
}

BlockDoubt doubt_of(const models::trace::PreparedLog& log, Resampling resampling) {
    constexpr double trend_level = 0.01;
    constexpr double scatter_level = 0.05;  // 10 weeks at .6 to .9 are named in .96
    constexpr double large = 0.25;
    constexpr double few = 5;
    const auto blocks = models::trace::blocks_of(log, resampling);
    if (blocks.count < 2) {
        return BlockDoubt::none;
    }
    if (resampling == Resampling::weeks) {
        if (blocks.trend_p_value < trend_level) {
            return BlockDoubt::trend;
        }
        if (models::trace::effective_users(log.jobs).value_or(few) < few) {
            return BlockDoubt::few_users;
        }
        return blocks.scatter_p_value < scatter_level ? BlockDoubt::uneven_weeks : BlockDoubt::none;
    }
    if (blocks.largest_share > large) {
        return BlockDoubt::one_user;
    }
    return blocks.effective >= few ? BlockDoubt::none : BlockDoubt::few_equal_users;
}

bool has_alike_blocks_in(const engine::Choice& workload) {
    return std::ranges::all_of(facts_of(workload).logs, [](const engine::Parameters& own) {
        const models::trace::TraceSettings settings(own);
        return doubt_of(*models::trace::prepared_log(settings), settings.resampling)
               == BlockDoubt::none;
    });
}

std::optional<engine::LogBlocks> in_common(
    const std::optional<engine::LogBlocks>& a, const std::optional<engine::LogBlocks>& b
) {
    if (!a || !b) {
        return a ? a : b;
    }
    const auto [count, unit] = std::min(std::pair(a->count, a->unit), std::pair(b->count, b->unit));
    return engine::LogBlocks{
        .count = count,
        .variance_ratio = std::max(a->variance_ratio, b->variance_ratio),
        .unit = unit};
}

}  // namespace schedfarm::app
