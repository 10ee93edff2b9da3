// Tasks in processes of their own: one that crashes, loops or eats memory costs nothing but itself.
// A small server is forked before MPI and before any thread exist (a fork after that may hang or
// corrupt what the network card reads), and forks a child for every task. Costs a fork per task:
// about 1 ms for a process of 20 MB.
//
// The server and its children end with the process that made them, however that ends. They ignore
// the signals by which a run is stopped: the owner decides what is still to be finished.
#pragma once

#include <cstdint>
#include <optional>

#include <sys/types.h>

#include "engine/farm/task.hpp"
#include "engine/farm/transport/framed_messages.hpp"

namespace schedfarm::engine {

/// What one task may take; absent: as much as it likes.
struct TaskLimits {
    std::optional<double> seconds;              ///< wall clock
    std::optional<std::uint64_t> memory_bytes;  ///< address space beyond the server's own
};

class IsolationServer {
  public:
    /// Forks the server. REQUIRES: no other thread, no MPI yet. Throws std::system_error.
    IsolationServer(const TaskFunction& function, const TaskLimits& limits);
    IsolationServer(const IsolationServer&) = delete;
    IsolationServer& operator=(const IsolationServer&) = delete;
    /// Ends the server; returns when it is gone.
    ~IsolationServer();

    /// A TaskFunction. Throws TaskFailure (failed: what the function threw, "out of memory";
    /// timeout; crashed: the signal's name) or, when the server itself is gone, WorkerBroken.
    Bytes execute(const Bytes& payload);

  private:
    Descriptor socket_;
    pid_t server_ = -1;
};

}  // namespace schedfarm::engine
