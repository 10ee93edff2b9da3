// Workloads whose jobs are given and not drawn, also where they lie inside of another workload, as
// the jobs of `reserved_version` do. By the models of this program.
#pragma once

#include <functional>
#include <string>

#include "engine/foundation/parameters.hpp"

namespace schedfarm::app {

/// Whether this holds of a workload, or of one inside of it.
bool holds_inside(
    const engine::Choice& workload, const std::function<bool(const engine::Choice&)>& holds
);

/// Whether the workload itself is a log.
bool is_log(const engine::Choice& workload);

/// Whether every replication has the very same jobs.
bool repeats_jobs(const engine::Choice& workload);

/// Whether jobs come when a list or a log says, whatever the load.
bool has_own_arrivals(const engine::Choice& workload);

/// Whether the jobs are those of a list, or of a log that is not resampled, and so have an end.
bool has_end(const engine::Choice& workload);

/// How the replications of a log get different jobs: "'resampling: users' …"; empty: it is no log.
std::string ways_to_differ(const engine::Choice& workload);

}  // namespace schedfarm::app
