// The measurements of docs/results/scaling.md: what a task costs the master, and what real workers
// make of two cores.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/report/text_table.hpp"

#include "bench/farm_part.hpp"

namespace schedfarm::bench {

/// Starts the parts at the same time, each on its ranks (1: without mpirun), and returns their
/// results.
using FarmPartRunner =
    std::function<std::vector<FarmPartResult>(const std::vector<FarmPart>& parts)>;

struct FarmBenchSettings {
    double seconds = 1;         ///< length of each measurement
    std::uint32_t repeats = 5;  ///< of the ratios that are judged
};

/// Whole runs of computing tasks on 2 workers, against 2 processes that compute without a farm.
struct ParallelEfficiency {
    std::string workers;  ///< what they are
    double task_seconds = 0;
    double median = 0;
    double lowest = 0;
    double highest = 0;
};

/// A number that was asked for, and what was found.
struct Acceptance {
    std::string text;
    std::string found;
    bool is_met = false;
};

/// `grouped_cpu_ratio`: a task's cost to the master by one rank of 16 children over that by 16
/// ranks.
std::vector<Acceptance> acceptances(
    const std::vector<ParallelEfficiency>& parallel, double grouped_cpu_ratio, double idle_cpu_share
);

struct FarmFigures {
    std::vector<Acceptance> acceptances;
    std::vector<app::TextTable> tables;  ///< what was measured
};

/// Takes some 70 measurements of settings.seconds each. `note` is told what is being measured.
FarmFigures measure_farm(
    const FarmBenchSettings& settings,
    const FarmPartRunner& run,
    const std::function<void(const std::string&)>& note
);

}  // namespace schedfarm::bench
