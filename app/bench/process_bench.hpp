// The claim of docs/background/performance.md about a whole process, as scripts start it: loading
// the program, reading a log, simulating it under textbook EASY and summarising the schedule. CPU
// time is that of the child processes, user and system.
#pragma once

#include <vector>

#include "app/bench/bench.hpp"

namespace schedfarm::app {

/// The CTC SP2 log, normalised, where $SCHEDFARM_TRACES names its folder, else the log that the
/// program carries. The reference counts the lines of the same file (`wc -l`).
std::vector<BenchCase> process_bench_cases();

/// CPU time of the processes that this one has started and waited for.
double children_cpu_seconds();

}  // namespace schedfarm::app
