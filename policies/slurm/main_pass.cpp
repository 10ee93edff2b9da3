#include "policies/slurm/preemption.hpp"
#include "policies/slurm/scheduler.hpp"
#include "policies/slurm/tres.hpp"

namespace schedfarm::policies::slurm {

std::optional<bool> Scheduler::blocks(
    const WaitingJob& job, const NodeSet& blocked, std::int64_t now, Decisions& decisions
) {
    NodeSet left = settings_.partitions[job.partition].nodes & usable_;
    left -= blocked;
    if (left.count() < job.request.nodes) {
        return true;
    }
    if (!has_licences(job)) {
        return false;
    }
    NodeSet candidates = left & usable_by(job);
    candidates -= reserved_for_others(job, now, now + job.limit, now).nodes;
    NodeSet free = candidates;
    free -= completing_;
    if (auto holding = free_.choose(job.request, free)) {
        if (!limits_.admits(job, held(job, *holding), &holding->nodes)) {
            return false;
        }
        start(job, *std::move(holding), now, job.limit, decisions);
        return std::nullopt;
    }
    const auto room =
        job.leaves ? std::nullopt : preempt(job, free, free_, running_, leaving_, settings_);
    if (room) {  // it is tried again when their nodes are clean
        send_away(job, room->victims, decisions);
        return true;
    }
    // Too few nodes for reservations alone block nobody, unless some that remain are busy; neither
    // does a job whose limits would not let it run anyway.
    NodeSet busy = candidates;
    busy -= free_.idle();
    return (!busy.empty() || empty_.choose(job.request, candidates).has_value())
           && limits_.admits(job, asked_by(job, settings_));
}

Decisions Scheduler::main_pass(std::int64_t now, bool full) {
    Decisions decisions;
    const std::vector<Start>& starts = decisions.starts;
    waits_for_victims_.clear();
    std::vector<char> gone(waiting_.size());
    std::vector<char> failed(settings_.partitions.size());
    std::vector<std::uint32_t> looked_at(settings_.partitions.size());
    std::vector<char> failed_reservation(settings_.reservations.size());
    NodeSet blocked(settings_.nodes.size());
    std::uint32_t depth = 0;
    const MainPass& rules = settings_.main;
    for (std::uint32_t entry : queue(now)) {
        while (entry != no_limit) {
            const WaitingJob& job = waiting_[entry];
            if (rules.max_job_start > 0 && starts.size() >= rules.max_job_start) {
                remove_waiting(starts);
                return decisions;
            }
            if (!array_admits(job, now)) {
                break;
            }
            if (rules.partition_job_depth > 0
                && looked_at[job.partition]++ >= rules.partition_job_depth) {
                break;
            }
            if (!full && depth++ > rules.default_queue_depth) {
                remove_waiting(starts);
                return decisions;
            }
            if (job.reservation == no_limit ? failed[job.partition] != 0
                                            : failed_reservation[job.reservation] != 0) {
                break;
            }
            if (!limits_.admits(job)) {
                if (rules.limits_stop) {
                    failed[job.partition] = 1;
                }
                break;
            }
            const std::optional<bool> is_blocking = blocks(job, blocked, now, decisions);
            if (!is_blocking) {
                gone[entry] = 1;
                entry = job.array != 0 ? next_task(job.array, gone) : no_limit;
                continue;
            }
            if (*is_blocking && job.reservation != no_limit) {
                failed_reservation[job.reservation] = 1;
            } else if (*is_blocking && !no_reservation(job, now)) {
                failed[job.partition] = 1;
                blocked |= settings_.partitions[job.partition].nodes;
            }
            break;
        }
    }
    remove_waiting(starts);
    return decisions;
}

}  // namespace schedfarm::policies::slurm
