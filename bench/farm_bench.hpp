// The measurements of docs/results/scaling.md: what a master can do, where its knee is, and what
// a second level of masters makes of it.
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

/// `goal`: of 10^4 workers, 10 ms, two levels, in virtual time.
std::vector<Acceptance> acceptances(
    const std::vector<ParallelEfficiency>& parallel, double goal, double idle_cpu_share
);

/// Processor time of a master: per message, and per task or result in it.
struct MasterCosts {
    double message_seconds = 0;
    double task_seconds = 0;
    double per_task_alone() const { return 2 * (message_seconds + task_seconds); }
};

struct FarmFigures {
    std::vector<Acceptance> acceptances;
    std::vector<app::TextTable> tables;  ///< what was measured
};

/// Takes some 60 measurements of settings.seconds each, and half a minute in virtual time. `note`
/// is told what is being measured.
FarmFigures measure_farm(
    const FarmBenchSettings& settings,
    const FarmPartRunner& run,
    const std::function<void(const std::string&)>& note
);

/// A farm in virtual time, in its steady state.
struct SteadyStateFarm {
    MasterCosts costs;
    std::uint32_t workers = 1;
    double task_seconds = 0;
    double predicted_seconds = 0;         ///< 0: unknown
    std::uint32_t workers_per_group = 0;  ///< 0: one level
    MasterCosts group_costs = {};         ///< of the sub-masters
};

double virtual_efficiency(const SteadyStateFarm& farm);

}  // namespace schedfarm::bench
