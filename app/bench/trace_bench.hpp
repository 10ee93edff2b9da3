// The claims of docs/background/performance.md about logs: reading them, textbook EASY, and every
// backfilling policy on the general kernel. Logs of the Parallel Workloads Archive take part where
// $SCHEDFARM_TRACES names a folder that holds them, the log that the program carries always.
#pragma once

#include <vector>

#include "app/bench/bench.hpp"

namespace schedfarm::app {

std::vector<BenchCase> trace_bench_cases();

}  // namespace schedfarm::app
