#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "policies/slurm/preemption.hpp"
#include "policies/slurm/scheduler.hpp"
#include "policies/slurm/will_run.hpp"
#include "policies/slurm/windows.hpp"

namespace schedfarm::policies::slurm {

namespace {

std::int64_t rounded(std::int64_t time, std::int64_t resolution) {
    return time / resolution * resolution;
}

/// How many entries of each user, partition and association a pass has counted
/// (_job_exceeds_max_bf_param).
class Counts {
  public:
    explicit Counts(const Settings& settings) : settings_(settings) {}

    /// Whether the entry is within bf_max_job_user and its like; then it counts.
    bool admit(const WaitingJob& job) {
        const Backfill& rules = settings_.backfill;
        const std::uint32_t user = user_of(job);
        const std::array<Count, 4> counts{
            Count{rules.max_job_user_part, &by_user_and_partition_[{user, job.partition}]},
            Count{rules.max_job_part, &by_partition_[job.partition]},
            Count{
                job.association == no_limit ? 0 : rules.max_job_assoc,
                &by_association_[job.association]},
            Count{rules.max_job_user, &by_user_[user]}};
        const bool is_full = std::any_of(counts.begin(), counts.end(), [](const Count& one) {
            return one.most > 0 && *one.counted >= one.most;
        });
        for (const Count& one : counts) {
            *one.counted += is_full ? 0 : 1;
        }
        return !is_full;
    }

  private:
    struct Count {
        std::uint32_t most = 0;  ///< 0: no limit
        std::uint32_t* counted = nullptr;
    };

    /// The same for all associations of a user.
    std::uint32_t user_of(const WaitingJob& job) const {
        if (job.association == no_limit) {
            return job.user;
        }
        const std::vector<Association>& all = settings_.associations;
        const auto at = std::find_if(all.begin(), all.end(), [&](const Association& one) {
            return one.user == all[job.association].user;
        });
        return static_cast<std::uint32_t>(at - all.begin());
    }

    const Settings& settings_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> by_user_and_partition_;
    std::map<std::uint32_t, std::uint32_t> by_partition_;
    std::map<std::uint32_t, std::uint32_t> by_association_;
    std::map<std::uint32_t, std::uint32_t> by_user_;
};

/// A try at a time: the nodes that are free of plans over the job's length, and the end of the
/// first window whose successor offers a node that this one does not; 0: there is none.
struct Try {
    NodeSet nodes;
    std::int64_t later = 0;
};

Try at(const Windows& windows, const NodeSet& usable, std::int64_t from, std::int64_t until) {
    Try result{usable};
    const auto& all = windows.in_order();
    for (std::size_t j = 0; j < all.size(); ++j) {
        if (all[j].end <= from) {
            continue;
        }
        if (result.later == 0 && j + 1 < all.size()
            && usable.offers_beside(all[j + 1].nodes, result.nodes, all[j].nodes)) {
            result.later = all[j].end;
        }
        if (all[j].begin > until) {
            break;
        }
        result.nodes &= all[j].nodes;
    }
    return result;
}

}  // namespace

Scheduler::Outcome Scheduler::backfill(
    WaitingJob& job, std::int64_t now, Windows& windows, std::uint32_t& tested, Decisions& decisions
) {
    const Backfill& rules = settings_.backfill;
    const Partition& partition = settings_.partitions[job.partition];
    const std::size_t table =
        rules.node_space_size > 0 ? rules.node_space_size : rules.max_job_test;
    const bool now_only = no_reservation(job, now);
    NodeSet usable = partition.nodes & usable_;
    if (job.reservation != no_limit) {
        usable &= settings_.reservations[job.reservation].nodes;
    }
    bool counted = false;
    std::int64_t from = now;
    for (;;) {
        const std::int64_t until = from + job.limit;
        NodeSet open = usable;
        const Reserved reserved = reserved_for_others(job, from, until, now);
        open -= reserved.nodes;
        Try one = at(windows, open, from, until);
        if (reserved.first_end > 0) {
            const std::int64_t candidate =
                rounded(reserved.first_end + rules.resolution - 1, rules.resolution) + 1;
            if (candidate < rounded(now + rules.window, rules.resolution)
                && (one.later == 0 || candidate < one.later)) {
                one.later = candidate;
            }
        }
        const auto try_later = [&](std::int64_t time) {
            from = std::max(time, from + 1);
            return !now_only;
        };
        if (one.nodes.count() < job.request.nodes) {
            if (one.later > 0 && try_later(one.later)) {
                continue;
            }
            return Outcome::passed_over;
        }
        tested += counted ? 0 : 1;
        counted = true;
        if (settings_.preempt_by_partition && from == now
            && !free_.choose(job.request, one.nodes)) {
            if (auto room = preempt(job, one.nodes, free_, running_, leaving_, settings_)) {
                send_away(job, room->victims, decisions);
                if (windows.entries() >= table) {
                    return Outcome::table_full;
                }
                windows.plan(
                    rounded(now, rules.resolution),
                    rounded(now + job.limit, rules.resolution),
                    room->holding.nodes
                );
                return Outcome::planned;
            }
        }
        auto planned = will_run(job.request, one.nodes, free_, running_, settings_, now, now_only);
        if (!planned) {
            if (one.later > 0 && try_later(one.later)) {
                continue;
            }
            return Outcome::passed_over;
        }
        std::int64_t time = std::max(planned->time, from);
        if (time <= now && planned->holding.nodes.meets(completing_)) {
            time = now + 1;
            one.later = 0;
        }
        const Held wanted = held(planned->holding);
        job.planned_cpus = static_cast<std::uint32_t>(wanted.cpus);
        if (time <= now) {
            if (!limits_.admits(job, wanted)) {
                return Outcome::passed_over;
            }
            const NodeSet nodes = planned->holding.nodes;
            start(job, std::move(planned->holding), now, decisions);
            if (job.request.whole_nodes && windows.entries() < table
                && !(settings_.preempt_by_partition && partition.preempted)) {
                windows.plan(now, rounded(now + job.limit, rules.resolution), nodes);
            }
            return Outcome::started;
        }
        if (now_only) {
            return Outcome::passed_over;
        }
        if (one.later > 0 && time > one.later) {
            from = one.later;
            continue;
        }
        if (time > now + rules.window) {
            return Outcome::passed_over;
        }
        const std::int64_t begin = rounded(time, rules.resolution);
        const std::int64_t end = rounded(time + job.limit, rules.resolution);
        if (windows.planned(begin, end, planned->holding.nodes)) {
            from = std::max(time, from + 1);
            continue;
        }
        if (!limits_.admits(job, wanted)) {
            return Outcome::passed_over;
        }
        if (windows.entries() >= table) {
            return Outcome::table_full;
        }
        windows.plan(begin, end, planned->holding.nodes);
        return Outcome::planned;
    }
}

Decisions Scheduler::backfill_pass(std::int64_t now) {
    const Backfill& rules = settings_.backfill;
    Windows windows(
        rounded(now, rules.resolution),
        rounded(now + rules.window, rules.resolution),
        rules.resolution,
        usable_
    );
    Decisions decisions;
    const std::vector<Start>& starts = decisions.starts;
    std::vector<char> gone(waiting_.size());
    Counts counts(settings_);
    std::uint32_t& tested = decisions.tested;
    const auto max_time = static_cast<double>(rules.max_time > 0 ? rules.max_time : rules.interval);
    bool ends_here = false;
    for (std::uint32_t entry : queue(now)) {
        std::uint32_t tasks_planned = 0;
        while (entry != no_limit && !ends_here) {
            WaitingJob& job = waiting_[entry];
            const bool is_late = rules.seconds_per_test * tested >= max_time;
            if (is_late || (tested >= rules.max_job_test && tasks_planned == 0)) {
                ends_here = true;
                break;
            }
            if (!array_admits(job) || !limits_.admits(job)
                || std::find(waits_for_victims_.begin(), waits_for_victims_.end(), job.id)
                       != waits_for_victims_.end()
                || !counts.admit(job)) {
                break;
            }
            const Outcome outcome = backfill(job, now, windows, tested, decisions);
            if (outcome == Outcome::table_full) {
                ends_here = true;
            }
            if (outcome == Outcome::passed_over) {
                break;
            }
            gone[entry] = 1;
            if (rules.max_job_start > 0 && starts.size() >= rules.max_job_start) {
                ends_here = true;
            }
            tasks_planned += outcome == Outcome::planned ? 1 : 0;
            entry = job.array != 0 && tasks_planned < rules.max_job_array_resv
                        ? next_task(job.array, gone)
                        : no_limit;
        }
        if (ends_here) {
            break;
        }
    }
    remove_waiting(starts);
    return decisions;
}

}  // namespace schedfarm::policies::slurm
