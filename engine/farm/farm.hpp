// Runs the tasks of a work source on workers: over MPI ranks, or in this process. The order in
// which results arrive differs from run to run; what the source does with them must not.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/farm/rank_overhead.hpp"
#include "engine/farm/task_executor.hpp"

namespace schedfarm::engine {

/// How many levels of masters there are.
enum class Levels : std::uint8_t {
    automatic,  ///< two where one master would be busy for more than 0.3 of the time
    one,
    two,
};

struct FarmReport {
    std::vector<RankOverhead> ranks;  ///< every rank, in order
    double wall_seconds = 0;
    bool interrupted = false;  ///< drained before the source was finished
};

struct FarmOptions {
    /// Called on the master a few times per second, for progress and for syncing the journal.
    std::function<void()> on_tick;
    /// True: stop dispatching, take in the tasks under way, return.
    std::function<bool()> should_drain;
    Levels levels = Levels::automatic;
    /// Two levels: a sub-master and its workers are so many ranks, say those of a node. At least 2.
    std::uint32_t group_ranks = 257;
    /// What a task is expected to last, to choose the levels; 0: unknown, short tasks are bundled.
    double expected_task_seconds = 0;
};

/// True when mpirun or srun has started this process; a plain start does not touch MPI.
bool started_by_mpi();

/// The MPI world of this program, or a world of one where there is none. Owns MPI_Init and
/// MPI_Finalize; construct exactly one, in main(). Failures of MPI are exceptions (MpiError).
///
/// An exception that leaves run_master or run_worker leaves the other ranks waiting: catch it while
/// the world lives, say what happened, and abort(). A world that is destroyed by an exception in
/// flight aborts with exit code 4 by itself, because MPI_Finalize would wait for ever.
class World {
  public:
    World();
    World(const World&) = delete;
    World& operator=(const World&) = delete;
    ~World();

    std::uint32_t rank() const { return rank_; }
    std::uint32_t size() const { return size_; }
    bool is_master() const { return rank_ == 0; }
    /// Sends the master's bytes to every rank; returns them on every rank.
    Bytes broadcast(Bytes bytes) const;
    /// Ends every rank with this exit code; for errors that cannot be handled.
    [[noreturn]] void abort(int exit_code) const;

  private:
    std::uint32_t rank_ = 0;
    std::uint32_t size_ = 1;
    static constexpr int abandoned_exit_code = 4;

    bool uses_mpi_ = false;
    int exceptions_at_start_ = 0;
};

/// Name and version of the MPI library; may be called without a World.
std::string mpi_version();

/// Master side: dispatches until the source is finished. With a world of one, executes the tasks
/// itself through `execute`. What the source or a hook throws (a full disk, say) goes through to
/// the caller while the workers wait: see World.
FarmReport run_master(
    const World& world, WorkSource& source, const TaskExecutor& execute, const FarmOptions& options
);

/// Worker side: executes tasks until the master says stop; or, where the master has chosen two
/// levels and this rank for it, is the sub-master of a group. REQUIRES: not the master.
void run_worker(const World& world, const TaskExecutor& execute);

}  // namespace schedfarm::engine
