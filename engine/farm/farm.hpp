// Runs the tasks of a work source on workers: children of this process, children of other ranks of
// MPI, or this process itself. The order in which results arrive differs from run to run; what the
// source does with them must not.
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/farm/master.hpp"
#include "engine/farm/processes/launched.hpp"
#include "engine/farm/processes/worker_server.hpp"
#include "engine/farm/rank_overhead.hpp"
#include "engine/farm/task_executor.hpp"

namespace schedfarm::engine {

/// Ranks say five times as often that they are there.
inline constexpr double longest_silence_seconds = 25;

struct FarmReport {
    std::vector<RankOverhead> ranks;  ///< every rank, in order
    double wall_seconds = 0;
    bool interrupted = false;     ///< drained before the source was finished
    bool has_lost_ranks = false;  ///< MPI cannot end in order then: see World::leave()
};

/// How long rank 0 waits for the others, and what it says meanwhile.
struct RankWait {
    double first_word_seconds = 10;
    double seconds = 120;
    std::function<void(const std::string&)> say = nullptr;
};

struct FarmOptions {
    /// Called on the master a few times per second, for progress and for syncing the journal.
    std::function<void()> on_tick;
    /// True: stop dispatching, take in the tasks under way, return.
    std::function<bool()> should_drain;
    /// Asked while the run drains; true: return at once, without what is under way. For workers
    /// that are children of this process.
    std::function<bool()> should_abandon = nullptr;
    /// Told on the process that has the worker.
    OnOverdueTask on_overdue = nullptr;
    /// Of workers that have not said that they are there.
    RankWait wait = {};
    /// A rank that has not been heard of for so long is lost, and its tasks go to others.
    double silence_seconds = longest_silence_seconds;
    std::function<void(const LostWorker&)> on_lost = nullptr;
};

/// Ranks that the launcher promised have not come, and nothing was computed.
class RanksMissing : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// The MPI world of this program, or a world of one where no launcher has started it as one of
/// several ranks: MPI is not touched then. Owns MPI_Init and MPI_Finalize; construct exactly one,
/// in main(). Failures of MPI are exceptions (MpiError). Rank 0 ends the process with exit code 2
/// where MPI does not start in time.
///
/// An exception that leaves run_master or run_worker leaves the other ranks waiting: catch it while
/// the world lives, say what happened, and abort(). A world that is destroyed by an exception in
/// flight aborts with exit code 4 by itself, because MPI_Finalize would wait for ever.
class World {
  public:
    explicit World(const Launched& launched = {}, const RankWait& wait = {});
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
    /// Ends this process, and mpirun where that has started it: the end of MPI, and mpirun, would
    /// wait for ranks that are lost.
    [[noreturn]] static void leave(int exit_code);

  private:
    std::uint32_t rank_ = 0;
    std::uint32_t size_ = 1;
    static constexpr int abandoned_exit_code = 4;

    bool uses_mpi_ = false;
    int exceptions_at_start_ = 0;
};

/// Name and version of the MPI library; may be called without a World.
std::string mpi_version();
/// What srun is to be told so that it starts ranks of this MPI.
std::string srun_word();

/// What executes tasks in a world of one: children of this process, or this process itself.
struct Workers {
    WorkerServer* server = nullptr;  ///< null: `execute` in this process
    TaskExecutor execute = {};
};

/// Master side: dispatches until the source is finished, to the other ranks or, in a world of one,
/// to `workers`. What the source or a hook throws (a full disk, say) goes through to the caller
/// while other ranks wait: see World.
FarmReport run_master(
    const World& world, WorkSource& source, const Workers& workers, const FarmOptions& options
);

/// Worker side: children of `server` execute tasks until the master says stop. Every rank has as
/// many. Throws std::runtime_error where the master, once heard, is silent for so long. REQUIRES:
/// not the master.
void run_worker(
    const World& world,
    WorkerServer& server,
    const OnOverdueTask& on_overdue = nullptr,
    double silence_seconds = longest_silence_seconds
);

}  // namespace schedfarm::engine
