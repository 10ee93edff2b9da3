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
    const std::int64_t late =
        settings.kill_wait
        + settings.partitions[job.partition].over_time_limit.value_or(settings.over_time_limit);
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

    /// Whether it has some of the candidates.
    bool end(const RunningJob& job) {
        if (is_plain_) {
            const std::size_t added = idle_.add(job.parts, candidates_);
            count_ += added;
            return added > 0;
        }
        const bool meets = candidates_.meets(job.parts);
        if (meets) {
            ended_->give(job.holding);
        }
        return meets;
    }

    std::optional<Holding> choose() {
        if (!is_plain_) {
            return ended_->choose_any(request_, candidates_);
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

/// So many nodes of each feature, and then others, when the last of them can be had.
template <typename Start>
std::optional<PlannedStart> counted_start(
    const Request& request, const NodeSet& candidates, const Moment& moment, const Start& start
) {
    PlannedStart whole{moment.now, {NodeSet(candidates.size())}};
    NodeSet& taken = whole.holding.nodes;
    const auto add = [&](NodeSet nodes, std::uint32_t count, std::uint32_t cpus) {
        nodes -= taken;
        const auto planned = start(of_nodes(request, count, cpus), nodes);
        if (planned) {
            whole.time = std::max(whole.time, planned->time);
            taken |= planned->holding.nodes;
        }
        return planned.has_value();
    };
    for (const Features::Counted& part : request.features->counted) {
        const std::uint32_t count = std::max(part.count, 1U);
        if (!add(candidates & part.nodes, count, count)) {
            return std::nullopt;
        }
    }
    const auto counted = static_cast<std::uint32_t>(taken.count());
    const std::uint32_t wanted = std::max(request.nodes, request.wanted_nodes);
    if (counted < wanted && !add(candidates, wanted - counted, wanted - counted)) {
        return std::nullopt;
    }
    if (whole.time <= moment.now) {
        auto holding = moment.free.choose(request, taken);
        if (holding || moment.when.from <= moment.now) {
            return holding ? std::optional(PlannedStart{moment.now, *std::move(holding), true})
                           : std::nullopt;
        }
    }
    return whole;
}

/// Whatever features it asks for.
std::optional<PlannedStart> start_on(
    const Request& request, const NodeSet& candidates, const Moment& moment
) {
    const auto& [free, running, settings, now, now_only, when] = moment;
    const bool is_timed = settings.version >= slurm_24_11 && !settings.linear;
    if (!is_timed || when.from <= now) {
        if (auto holding = free.choose_any(request, candidates)) {
            return PlannedStart{now, *std::move(holding), true};
        }
        if (now_only) {
            return std::nullopt;
        }
    }
    Future future(request, candidates, free);
    std::size_t k = 0;
    if (is_timed) {
        for (; k < running.size() && running[k].limit_end < when.from; ++k) {
            future.end(running[k]);
        }
        if (auto holding = future.choose()) {
            return PlannedStart{now, *std::move(holding)};
        }
    }
    const std::size_t first_awaited = k;
    std::size_t end = running.size();
    if (is_timed && when.until > 0) {
        while (end > k && running[end - 1].limit_end > when.until) {
            --end;
        }
    }
    std::int64_t group_s = first_group_s;
    std::optional<std::int64_t> reference;
    while (k < end) {
        const RunningJob* last = nullptr;
        bool another_group = false;
        while (k < end && !another_group) {
            const RunningJob& job = running[k++];
            if (!future.end(job)) {
                continue;
            }
            if (!reference) {
                reference = job.limit_end + first_group_s - job.limit_end % first_group_s;
            }
            last = &job;
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
            const bool is_last_relevant = settings.version >= slurm_25_11 && !settings.linear;
            for (std::size_t j = k; is_last_relevant && j-- > first_awaited;) {
                if (candidates.meets(running[j].parts) && holding->nodes.meets(running[j].parts)) {
                    last = &running[j];
                    break;
                }
            }
            return PlannedStart{end_of(*last, settings, now), *std::move(holding)};
        }
    }
    return std::nullopt;
}

}  // namespace

std::optional<PlannedStart> will_run(
    const Request& request, const NodeSet& candidates, const Moment& moment
) {
    if (request.features == nullptr) {
        return start_on(request, candidates, moment);
    }
    const Features& features = *request.features;
    const NodeSet fitting = candidates & features.nodes;
    if (!features.counted.empty()) {
        return counted_start(
            request,
            fitting,
            moment,
            [&](const Request& asked, const NodeSet& of) { return start_on(asked, of, moment); }
        );
    }
    std::optional<PlannedStart> first;
    for (const NodeSet& one : features.one_of) {
        auto planned = start_on(request, fitting & one, moment);
        first = planned && (!first || planned->time < first->time) ? std::move(planned) : first;
    }
    return features.one_of.empty() ? start_on(request, fitting, moment) : first;
}

}  // namespace schedfarm::policies::slurm
