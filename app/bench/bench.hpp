// Speed claims and their measurement: CPU time of the product per job beside a reference, mostly a
// hand-written minimal loop, taken in turns in one run, so that a noisy machine slows both.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/plan/plan.hpp"

namespace schedfarm::app {

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
    double ratio = 0;  ///< median of the pairs' ratios, product / reference
    double lowest_ratio = 0;
    double highest_ratio = 0;
};

/// The claims of docs/background/performance.md.
std::vector<BenchCase> bench_cases();

/// The plan of a campaign with one cell; `lines` say what is beside format, name, seed and
/// replications.
std::shared_ptr<const Plan> bench_plan(const std::string& lines);

BenchResult measure(const BenchCase& bench, const BenchSettings& settings);

/// Peak resident memory of this process so far, in MiB.
double peak_memory_mib();

}  // namespace schedfarm::app
