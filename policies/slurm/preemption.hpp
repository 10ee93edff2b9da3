// Which running jobs make room for one that waits: preempt/partition_prio and preempt/qos of Slurm
// 22.05, in the mode REQUEUE (select/cons_common/job_test.c, _run_now; preempt.c).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "policies/slurm/jobs.hpp"
#include "policies/slurm/node_choice.hpp"

namespace schedfarm::policies::slurm {

struct Preemption {
    Holding holding = {};                     ///< what the job gets when the victims are gone
    std::vector<std::uint64_t> victims = {};  ///< running jobs that hold some of it
};

/// Whether jobs of the QOS `second` make room for those of `first`.
bool preempts(const Settings& settings, std::uint32_t first, std::uint32_t second);

/// Whether such a job, once it runs, may be sent away for anybody (slurm_job_preempt_mode).
bool may_be_sent_away(const WaitingJob& job, const Settings& settings);

/// Nothing where the job would not fit even so. `leaving` have got their signal already. Cost: a
/// choice of nodes for each job that may be sent away, three times at most.
std::optional<Preemption> preempt(
    const WaitingJob& job,
    const NodeSet& candidates,
    const FreeNodes& free,
    const std::vector<RunningJob>& running,
    const std::vector<std::uint64_t>& leaving,
    const Settings& settings
);

}  // namespace schedfarm::policies::slurm
