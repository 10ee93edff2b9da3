// What is counted of a job against limits, as usage and as priority: the TRES of Slurm 22.05
// (job_set_alloc_tres, assoc_mgr_tres_weighted). Pure functions.
#pragma once

#include <cstdint>

#include "policies/slurm/jobs.hpp"

namespace schedfarm::policies::slurm {

constexpr std::size_t at(Tres kind) {
    return static_cast<std::size_t>(kind);
}

/// What the job holds. A job with whole nodes has all CPUs and GPUs of them, and `memory`.
Held held_by(
    const Holding& holding, std::uint64_t memory, std::uint32_t partition, const Settings& site
);

/// What the job asks for; it may get more.
Held asked_by(const WaitingJob& job, const Settings& site);

/// What a job that asks so much memory is charged for it on so many CPUs and nodes.
std::uint64_t memory_of(
    const Request& request, const NodeSet& nodes, std::uint64_t cpus, const Settings& site
);

/// What jobs could hold of a partition.
TresCounts all_of(const Partition& partition, const Settings& site);

}  // namespace schedfarm::policies::slurm
