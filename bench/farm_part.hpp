// One measurement of the farm under mpirun, or of one process: what the ranks of `schedfarm-bench
// --farm` do. A part travels to them as JSON, and its result comes back so.
#pragma once

#include <cstdint>
#include <string>

#include "engine/farm/farm.hpp"

namespace schedfarm::bench {

enum class FarmPartKind : std::uint8_t {
    dispatch,  ///< empty tasks with results of 1 KiB on real workers
    emulated,  ///< virtual workers, per_rank on every rank but the master's
    groups,    ///< sub-masters with virtual workers, per_rank on every rank but the master's
    busy,      ///< tasks that compute for task_seconds on real workers
    alone,     ///< the same computation without a farm
    idle,      ///< one task that sleeps: what does waiting cost the master
    sleeping,  ///< tasks that sleep for task_seconds on real workers, more than there are cores
};

struct FarmPart {
    FarmPartKind kind = FarmPartKind::dispatch;
    std::uint32_t ranks = 1;
    std::uint32_t per_rank = 1;
    std::uint32_t group_workers = 0;  ///< of a sub-master
    double task_seconds = 0;
    double predicted_seconds = 0;  ///< 0: unknown
    double seconds = 1;            ///< length of the measurement
    std::uint64_t iterations = 0;  ///< of a computing task
};

struct FarmPartResult {
    double tasks_per_second = 0;
    double cpu_seconds_per_task = 0;     ///< of the master
    double cpu_share = 0;                ///< of the master, of a core
    double memory_mib = 0;               ///< peak of the master
    double busy_workers = 0;             ///< that execute a task, on average
    double served_seconds_per_task = 0;  ///< the master's, without waiting; virtual workers only
};

/// JSON and back. Throws nlohmann::json::exception.
std::string to_text(const FarmPart& part);
FarmPart farm_part_of(const std::string& text);
std::string to_text(const FarmPartResult& result);
FarmPartResult farm_part_result_of(const std::string& text);

/// Runs a part; the result is the master's. REQUIRES: the world has part.ranks ranks.
FarmPartResult run_farm_part(const engine::World& world, const FarmPart& part);

/// How many tasks a master bundles that are predicted to last so long.
std::uint32_t bundle_of(double predicted_seconds);

/// How many iterations of a computing task take so long in this process, just now.
std::uint64_t iterations_of(double task_seconds);

}  // namespace schedfarm::bench
