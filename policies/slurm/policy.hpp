// Slurm 22.05's scheduler as a policy: when its loops wake, which passes they ask for, and what
// jobs and outages are to it (controller.c, job_scheduler.c, backfill.c). All of its times are
// whole seconds of the Unix clock. Cost: what its passes cost, every bf_interval while jobs wait.
#pragma once

#include <memory>

#include "engine/simulation/policy.hpp"

#include "policies/slurm/settings.hpp"

namespace schedfarm::policies::slurm {

struct PolicySettings {
    Settings site;
    double clock = 0;  ///< of the Unix clock at time 0
    /// When slurmctld's periods begin: full main passes, priorities.
    double phase = 0;
    double node_free_after = 0;   ///< from a job's end until something can start on its nodes
    bool backfill_first = false;  ///< ahead of what else happens in its second
};

/// The processors of the machine are the CPUs of the nodes, in their order; planned outages become
/// reservations. Jobs that the site cannot run end in UnservedJobError.
/// REQUIRES: a machine of one cluster that has all CPUs of the nodes.
std::unique_ptr<engine::Policy> make_policy(
    PolicySettings settings, const engine::Outages& outages = {}
);

/// Jobs stay in their partitions, and nobody shares a node with a job that has it whole.
std::unique_ptr<engine::ScheduleVerifier> make_verifier(Settings site);

}  // namespace schedfarm::policies::slurm
