// Workers that are children of their owner, so that a task that crashes, hangs or eats memory costs
// itself and one process. A small server is forked before MPI and before any thread exist (a fork
// after that may hang or corrupt what the network card reads). It forks the workers once, learns of
// a death by waitpid, puts another worker in the place and tells the owner how the last one ended.
//
// Server and workers end with the process that made them, however that ends. They ignore the
// signals by which a run is stopped: the owner decides what is still to be finished.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "engine/farm/task_executor.hpp"
#include "engine/farm/transport/framed_messages.hpp"

namespace schedfarm::engine {

/// What one task may take; absent: as much as it likes.
struct TaskLimits {
    std::optional<double> seconds;              ///< wall clock
    std::optional<std::uint64_t> memory_bytes;  ///< address space beyond the worker's own
};

/// What a worker executes just now, and what it has done and not sent yet, in memory that it shares
/// with its owner: its death costs what it executes, nothing else.
struct Desk {
    std::atomic<std::uint64_t> first{0};  ///< id of the first task
    std::atomic<std::uint32_t> count{0};  ///< tasks that are executed together; 0: none
    std::atomic<double> began_s{0};       ///< by the clock that is never set
    std::atomic<std::size_t> done_bytes{0};
    std::array<std::byte, std::size_t{1} << 18> done;  ///< that many bytes of results, as records
};

/// How a worker ended, as a task that it executed tells it.
struct WorkerEnd {
    TaskStatus status = TaskStatus::crashed;  ///< or timeout
    std::string message;
};

/// A worker that has come in the place of one that died.
struct NewWorker {
    Descriptor socket;
    WorkerEnd last;
};

/// A signal's number and name, as in "signal 11 (Segmentation fault)".
std::string signal_text(int signal);

class WorkerServer {
  public:
    /// Forks the server, and returns when all workers are there. Each executes orders that come
    /// over its socket until that is closed: see serve(). REQUIRES: workers > 0; no other thread,
    /// no MPI yet. Throws std::system_error, and std::runtime_error where no worker can be forked.
    WorkerServer(std::uint32_t workers, const TaskExecutor& execute, const TaskLimits& limits);
    WorkerServer(const WorkerServer&) = delete;
    WorkerServer& operator=(const WorkerServer&) = delete;
    /// Ends server and workers, whatever they do; returns when they are gone.
    ~WorkerServer();

    std::uint32_t workers() const { return static_cast<std::uint32_t>(sockets_.size()); }
    /// The owner's end of the connection to a worker; given away once.
    Descriptor take_socket(std::uint32_t worker) { return std::move(sockets_[worker]); }
    Desk& desk(std::uint32_t worker) { return desks_[worker]; }
    /// Takes off the desk of a worker that has died what it had done and perhaps not sent. A record
    /// that the worker has spoilt ends it.
    std::vector<TaskResult> take_done(std::uint32_t worker);
    /// Waits for the worker that comes in the place of this one, whose socket has been closed by
    /// its end. Throws std::runtime_error where there will be none.
    NewWorker replacement_of(std::uint32_t worker);

  private:
    struct Notice;
    Notice receive_notice();

    Descriptor control_;
    pid_t server_ = -1;
    TaskLimits limits_;
    Desk* desks_ = nullptr;
    std::vector<Descriptor> sockets_;
    std::vector<std::deque<NewWorker>> early_;  // came while another was awaited
};

}  // namespace schedfarm::engine
