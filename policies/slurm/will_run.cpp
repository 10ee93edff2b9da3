#include "policies/slurm/will_run.hpp"

#include <algorithm>

namespace schedfarm::policies::slurm {

namespace {

constexpr std::int64_t first_group_s = 30;

/// A job past its limit is taken to end soon.
std::int64_t end_of(const RunningJob& job, const Settings& settings, std::int64_t now) {
    if (job.limit_end > now) {
        return job.limit_end;
    }
    return std::max(now + 1, job.limit_end + settings.kill_wait + settings.over_time_limit);
}

}  // namespace

std::optional<PlannedStart> will_run(
    const Request& request,
    const NodeSet& candidates,
    const FreeNodes& free,
    const std::vector<const RunningJob*>& running,
    const Settings& settings,
    std::int64_t now,
    bool now_only
) {
    if (auto holding = free.choose(request, candidates)) {
        return PlannedStart{now, *std::move(holding)};
    }
    if (now_only) {
        return std::nullopt;
    }
    FreeNodes future = free;
    std::int64_t group_s = first_group_s;
    std::optional<std::int64_t> reference;
    for (std::size_t k = 0; k < running.size();) {
        const RunningJob* last = nullptr;
        bool another_group = false;
        while (k < running.size() && !another_group) {
            const RunningJob& job = *running[k++];
            if (!job.holding.nodes.meets(candidates)) {
                continue;
            }
            if (!reference) {
                reference = job.limit_end + first_group_s - job.limit_end % first_group_s;
            }
            last = &job;
            future.give(job.holding);
            // The next of all running jobs, also of those on other nodes, ends the group.
            another_group = k < running.size() && running[k]->limit_end > *reference + group_s;
        }
        if (last == nullptr) {
            break;
        }
        do {
            group_s = settings.backfill.window_linear > 0
                          ? group_s + settings.backfill.window_linear
                          : 2 * group_s;
        } while (another_group && running[k]->limit_end > *reference + group_s);
        if (auto holding = future.choose(request, candidates)) {
            return PlannedStart{end_of(*last, settings, now), *std::move(holding)};
        }
    }
    return std::nullopt;
}

}  // namespace schedfarm::policies::slurm
