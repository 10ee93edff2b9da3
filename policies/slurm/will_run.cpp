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
    const std::int64_t late = settings.kill_wait + settings.over_time_limit;
    return settings.linear ? now + 1 : std::max(now + 1, job.limit_end + late);
}

/// The nodes as running jobs end one after another. Where every job has its nodes whole, and these
/// are of one kind, a set and a count are enough.
class Future {
  public:
    Future(const Request& request, const NodeSet& candidates, const FreeNodes& free)
        : request_(request)
        , candidates_(candidates)
        , free_(free)
        , is_plain_(free.is_whole() && free.serves_idle(request))
        , idle_(candidates & free.idle())
        , count_(idle_.count())
        , needed_(is_plain_ ? free.nodes_for(request) : request.nodes) {
        if (!is_plain_) {
            ended_.emplace(free);
        }
    }

    void end(const RunningJob& job) {
        if (is_plain_) {
            count_ += idle_.add(job.parts, candidates_);
        } else {
            ended_->give(job.holding);
        }
    }

    std::optional<Holding> choose() {
        if (!is_plain_) {
            return ended_->choose(request_, candidates_);
        }
        return count_ < needed_ ? std::nullopt : free_.choose_idle(request_, idle_);
    }

  private:
    const Request& request_;
    const NodeSet& candidates_;
    const FreeNodes& free_;
    bool is_plain_;
    NodeSet idle_;
    std::size_t count_;  ///< of those idle
    std::uint32_t needed_;
    std::optional<FreeNodes> ended_;
};

}  // namespace

std::optional<PlannedStart> will_run(
    const Request& request,
    const NodeSet& candidates,
    const FreeNodes& free,
    const std::vector<RunningJob>& running,
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
    Future future(request, candidates, free);
    std::int64_t group_s = first_group_s;
    std::optional<std::int64_t> reference;
    for (std::size_t k = 0; k < running.size();) {
        const RunningJob* last = nullptr;
        bool another_group = false;
        while (k < running.size() && !another_group) {
            const RunningJob& job = running[k++];
            if (!candidates.meets(job.parts)) {
                continue;
            }
            if (!reference) {
                reference = job.limit_end + first_group_s - job.limit_end % first_group_s;
            }
            last = &job;
            future.end(job);
            // The next of all running jobs, also of those on other nodes, ends the group;
            // select/linear has no groups.
            another_group = settings.linear
                            || (k < running.size() && running[k].limit_end > *reference + group_s);
        }
        if (last == nullptr) {
            break;
        }
        do {
            group_s = settings.backfill.window_linear > 0
                          ? group_s + settings.backfill.window_linear
                          : 2 * group_s;
        } while (another_group && !settings.linear && running[k].limit_end > *reference + group_s);
        if (auto holding = future.choose()) {
            return PlannedStart{end_of(*last, settings, now), *std::move(holding)};
        }
    }
    return std::nullopt;
}

}  // namespace schedfarm::policies::slurm
