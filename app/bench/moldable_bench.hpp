// The claims of docs/background/performance.md about moldable jobs: the dual approximation, DEMT
// with 10 shuffles and the linear program of the minsum bound, on weakly parallel jobs. Counted are
// the processing times of an instance, jobs × processors: 40 M times/s are 2 ms for 400 jobs on
// 200 processors. CLP takes part where the build found it.
#pragma once

#include <vector>

#include "app/bench/bench.hpp"

namespace schedfarm::app {

std::vector<BenchCase> moldable_bench_cases();

}  // namespace schedfarm::app
