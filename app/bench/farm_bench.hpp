// The measurements of docs/results/scaling.md: what a master can do, where its knee is, and what
// a second level of masters makes of it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/bench/farm_part.hpp"

namespace schedfarm::app {

/// Starts the parts at the same time, each on its ranks (1: without mpirun), and returns their
/// results.
using FarmPartRunner =
    std::function<std::vector<FarmPartResult>(const std::vector<FarmPart>& parts)>;

struct FarmBenchSettings {
    double seconds = 1;         ///< length of each measurement
    std::uint32_t repeats = 5;  ///< of the ratios that are judged
};

/// Tasks that travel alone, and in bundles of 256.
struct DispatchRow {
    std::uint32_t ranks = 0;
    FarmPartResult alone;
    FarmPartResult bundled;
};

/// Measured efficiency beside min(1, cT / (P s)), s being what a task costs the master just then.
struct EmulatedRow {
    std::uint32_t workers = 0;
    double task_seconds = 0;
    std::uint32_t bundle_tasks = 1;  ///< c
    FarmPartResult master = {};
    double efficiency = 0;
    double formula = 0;
};

/// Sub-masters with virtual workers over real MPI, beside the same in virtual time.
struct GroupRow {
    std::uint32_t workers = 0;
    double task_seconds = 0;
    FarmPartResult master = {};  ///< the one above the sub-masters
    double efficiency = 0;
    double in_virtual_time = 0;
};

/// Real ranks, more than there are cores, whose tasks sleep; beside the same in virtual time.
struct SleepingRow {
    std::uint32_t ranks = 0;
    double task_seconds = 0;
    double real = 0;
    double in_virtual_time = 0;
};

/// Efficiency in virtual time.
struct VirtualRow {
    std::uint32_t workers = 0;
    double task_seconds = 0;
    double alone = 0;       ///< one level, tasks of unknown length
    double bundled = 0;     ///< one level, predicted
    double two_levels = 0;  ///< 250 workers per sub-master, predicted
};

/// Whole runs of computing tasks on 2 workers, against 2 processes that compute without a farm.
struct ParallelRow {
    double task_seconds = 0;
    double efficiency = 0;  ///< median
    double lowest = 0;
    double highest = 0;
};

/// Processor time of a master: per message, and per task or result in it.
struct MasterCosts {
    double message_seconds = 0;
    double task_seconds = 0;
    double per_task_alone() const { return 2 * (message_seconds + task_seconds); }
};

struct FarmFigures {
    std::vector<DispatchRow> dispatch;
    MasterCosts costs;        ///< with 10^4 workers
    MasterCosts group_costs;  ///< a sub-master's, with 250
    MasterCosts top_costs;    ///< with 40 sub-masters
    double bytes_per_idle_worker = 0;
    std::vector<EmulatedRow> emulated;
    std::vector<GroupRow> groups;
    std::vector<SleepingRow> sleeping;
    std::vector<VirtualRow> virtual_time;
    std::vector<ParallelRow> parallel;
    double idle_cpu_share = 0;
    double goal_efficiency = 0;  ///< 10^4 workers, 10 ms, two levels, in virtual time
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

}  // namespace schedfarm::app
