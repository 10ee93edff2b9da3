// Which running jobs make room for one of a higher tier: preempt/partition_prio of Slurm 22.05
// (select/cons_common/job_test.c, _run_now).
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
