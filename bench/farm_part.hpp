// One measurement of the farm under mpirun, or of one process: what the ranks of `schedfarm-bench
// --farm` do. A part travels to them as JSON, and its result comes back so.
#pragma once

#include <cstdint>
#include <string>

#include "engine/farm/farm.hpp"

namespace schedfarm::bench {

enum class FarmPartKind : std::uint8_t {
    dispatch,  ///< empty tasks with results of 1 KiB on real workers
    busy,      ///< tasks that compute for task_seconds on real workers
    alone,     ///< the same computation without a farm
    idle,      ///< one task that sleeps: what does waiting cost the master
};

struct FarmPart {
    FarmPartKind kind = FarmPartKind::dispatch;
    std::uint32_t ranks = 1;
    std::uint32_t children = 1;  ///< of each rank but the master's; of the one that is alone
    double task_seconds = 0;
    double predicted_seconds = 0;  ///< 0: unknown
    double seconds = 1;            ///< length of the measurement
    std::uint64_t iterations = 0;  ///< of a computing task
};

struct FarmPartResult {
    double tasks_per_second = 0;
    double cpu_seconds_per_task = 0;  ///< of the master
    double cpu_share = 0;             ///< of the master, of a core
};

/// JSON and back. Throws nlohmann::json::exception.
std::string to_text(const FarmPart& part);
FarmPart farm_part_of(const std::string& text);
std::string to_text(const FarmPartResult& result);
FarmPartResult farm_part_result_of(const std::string& text);

/// Runs a part; the result is the master's, and of no meaning on other ranks. REQUIRES: no thread,
/// no MPI yet; this process is one of part.ranks ranks.
FarmPartResult run_farm_part(const FarmPart& part);

/// How many iterations of a computing task take so long in this process, just now.
std::uint64_t iterations_of(double task_seconds);

}  // namespace schedfarm::bench
