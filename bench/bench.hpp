// Speed claims and their measurement: CPU time of the product per job beside a reference, mostly a
// hand-written minimal loop, taken in turns in one run, so that a noisy machine slows both.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/campaign/plan/plan.hpp"

namespace schedfarm::bench {

/// One claim: the product and its reference do the same work on replication `index`, and each
/// returns the items (jobs) it processed.
struct BenchCase {
    std::string name;
    std::string item;            ///< "jobs", "items", "bytes"
    std::string reference_name;  ///< "minimal loop"
    std::function<std::uint64_t(std::uint32_t index)> product;
    std::function<std::uint64_t(std::uint32_t index)> reference;
};

struct BenchSettings {
    double seconds = 1;         ///< CPU time of each measurement
    std::uint32_t repeats = 5;  ///< pairs of measurements
};

/// Medians over the pairs.
struct BenchResult {
    double product_rate = 0;  ///< items per CPU second
    double reference_rate = 0;
    std::vector<double> ratios = {};  ///< of the pairs, product / reference, ascending

    double ratio() const { return ratios[ratios.size() / 2]; }
};

/// The newest instructions that this process finds: "AVX-512", "AVX2" or "any processor".
std::string instruction_set();

/// The claims of docs/background/performance.md.
std::vector<BenchCase> bench_cases();

/// Those about logs: reading them, textbook EASY, and every backfilling policy on the general
/// kernel. Logs of the Parallel Workloads Archive take part where $SCHEDFARM_TRACES names a folder
/// that holds them, the log that the program carries always.
std::vector<BenchCase> trace_bench_cases();

/// Those about moldable jobs: the dual approximation, DEMT with 10 shuffles and the linear program
/// of the minsum bound, on weakly parallel jobs. Counted are the processing times of an instance,
/// jobs × processors: 40 M times/s are 2 ms for 400 jobs on 200 processors. CLP where the build
/// found it.
std::vector<BenchCase> moldable_bench_cases();

/// That about a whole process, as scripts start it: loading the program, reading a log (CTC SP2,
/// normalised, where it is found), simulating it under textbook EASY and summarising the schedule,
/// beside its reader and a loop of textbook EASY. None where this process finds an older processor:
/// the program would not.
std::vector<BenchCase> process_bench_cases();

/// CPU time of the processes that this one has started and waited for.
double children_cpu_seconds();

/// The plan of a campaign with one cell; `lines` say what is beside format, name, seed and
/// replications.
std::shared_ptr<const app::Plan> bench_plan(const std::string& lines);

/// In rounds, a pair of each in turn: what else the machine does for minutes is in every range.
/// `tell` is given the names, once.
std::vector<BenchResult> measure(
    const std::vector<BenchCase>& benches,
    const BenchSettings& settings,
    const std::function<void(const std::string&)>& tell
);

/// Peak resident memory of this process so far, in MiB.
double peak_memory_mib();

}  // namespace schedfarm::bench
