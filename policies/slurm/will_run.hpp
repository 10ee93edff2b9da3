// When a job could start on nodes if nothing else came: cons_tres's will_run test of Slurm 22.05
// (select/cons_common/job_test.c, _will_run_test). Running jobs end by their limits, in groups;
// the job is tested after each group and starts at the group's last end, so that starts planned
// are late by up to the group's length.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "policies/slurm/jobs.hpp"
#include "policies/slurm/node_choice.hpp"

namespace schedfarm::policies::slurm {

struct PlannedStart {
    std::int64_t time = 0;
    Holding holding = {};
    bool is_free = false;  ///< the nodes are; else running jobs past their limits may hold some
};

/// The try of backfill. Since Slurm 24.11 jobs that end before `from` are gone at once, and none is
/// awaited that ends after `until` (0: any); before it no start asks for them.
struct Try {
    std::int64_t from = 0;
    std::int64_t until = 0;
};

/// The machine as a try finds it. `running` is sorted by limit_end.
struct Moment {
    const FreeNodes& free;
    const std::vector<RunningJob>& running;
    const Settings& settings;
    std::int64_t now = 0;
    bool now_only = false;  ///< no end is awaited
    Try when = {};
};

/// Since 25.11 the job starts at the last end of a group that frees some of its nodes. Cost:
/// O(running jobs) and a choice of nodes for each group.
std::optional<PlannedStart> will_run(
    const Request& request, const NodeSet& candidates, const Moment& moment
);

}  // namespace schedfarm::policies::slurm
