// What a workload of this program says of itself, and what follows where its jobs are given and not
// drawn.
#pragma once

#include <string>

#include "engine/foundation/parameters.hpp"
#include "engine/simulation/workload_model.hpp"

namespace schedfarm::app {

/// REQUIRES: a workload of this program with complete parameters.
engine::WorkloadFacts facts_of(const engine::Choice& workload);

/// Whether every replication has the very same jobs.
bool repeats_jobs(const engine::Choice& workload);

/// How the replications of a log get different jobs: "'resampling: users' …"; empty: it is no log.
std::string ways_to_differ(const engine::Choice& workload);

}  // namespace schedfarm::app
