#include "policies/slurm/preemption.hpp"
#include "policies/slurm/scheduler.hpp"
#include "policies/slurm/tres.hpp"

namespace schedfarm::policies::slurm {

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
            const Partition& partition = settings_.partitions[job.partition];
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
            NodeSet usable = partition.nodes & usable_;
            usable -= blocked;
            NodeSet candidates = usable;
            if (job.reservation != no_limit) {
                candidates &= settings_.reservations[job.reservation].nodes;
            }
            candidates -= reserved_for_others(job, now, now + job.limit, now).nodes;
            NodeSet free = candidates;
            free -= completing_;
            bool blocks = false;
            if (usable.count() < job.request.nodes) {
                blocks = true;
            } else if (!has_licences(job)) {
                break;
            } else if (auto holding = free_.choose(job.request, free)) {
                if (limits_.admits(job, held(job, *holding), &holding->nodes)) {
                    gone[entry] = 1;
                    start(job, *std::move(holding), now, job.limit, decisions);
                    entry = job.array != 0 ? next_task(job.array, gone) : no_limit;
                    continue;
                }
            } else if (auto room = job.leaves ? std::nullopt : preempt(job, free, free_, running_, leaving_, settings_)) {
                // It is tried again when their nodes are clean.
                send_away(job, room->victims, decisions);
                blocks = true;
            } else {
                // Too few nodes for reservations alone block nobody, unless some that remain are
                // busy; neither does a job whose limits would not let it run anyway.
                const bool fits_empty = empty_.choose(job.request, candidates).has_value();
                NodeSet busy = candidates;
                busy -= free_.idle();
                blocks =
                    (fits_empty || !busy.empty()) && limits_.admits(job, asked_by(job, settings_));
            }
            if (blocks && job.reservation != no_limit) {
                failed_reservation[job.reservation] = 1;
            } else if (blocks && !no_reservation(job, now)) {
                failed[job.partition] = 1;
                blocked |= partition.nodes;
            }
            break;
        }
    }
    remove_waiting(starts);
    return decisions;
}

}  // namespace schedfarm::policies::slurm
