// Orders and reports over socket pairs, between an owner and workers that are its children. The
// owner never waits for a worker: what does not fit into a socket is sent when there is room.
//
// A worker that dies is replaced, and what it had is given to the next one. Blamed is only what it
// was executing: a single task is reported as crashed, or as a timeout; several that were executed
// together are given again one by one, so that the one that does the harm shows itself.
#pragma once

#include <deque>
#include <functional>
#include <vector>

#include "engine/farm/processes/worker_server.hpp"
#include "engine/farm/stopwatch.hpp"
#include "engine/farm/transport/transport.hpp"

namespace schedfarm::engine {

class ChildrenTransport final : public MasterTransport {
  public:
    /// `server` outlives the transport, which is the only one of it. The first worker's rank is
    /// `first_rank`. `on_overdue` is told once of each task.
    ChildrenTransport(
        WorkerServer& server, std::uint32_t first_rank, OnOverdueTask on_overdue = nullptr
    );

    std::uint32_t workers() const override { return static_cast<std::uint32_t>(workers_.size()); }
    /// Throws std::runtime_error where workers die before they execute anything, WorkerBroken where
    /// one can execute nothing more.
    std::optional<ReceivedReport> receive(double at_most_seconds) override;
    void send(std::uint32_t worker, const Order& order) override;
    void finish() override {}
    double now_s() const override { return clock_.seconds(); }
    double waited_seconds() const override { return waited_seconds_; }

  private:
    struct WorkerState {
        Descriptor socket;
        Bytes received;          ///< not yet a whole message
        Bytes to_send;           ///< what the socket has had no room for
        std::deque<Task> tasks;  ///< given, not back yet, in order
        bool has_said_hello = false;
        int vain_deaths = 0;            ///< in a row, with nothing under execution
        std::optional<TaskId> overdue;  ///< was told of
    };

    void wait_and_read(double at_most_seconds);
    void read(std::uint32_t worker);
    void take_message(std::uint32_t worker, const Bytes& message);
    void take_results(std::uint32_t worker, std::vector<TaskResult> results);
    void bury(std::uint32_t worker);
    void give_again(std::uint32_t worker, std::uint64_t first, std::size_t together);
    void post(WorkerState& worker, const Order& order);
    void look_for_overdue();

    WorkerServer& server_;
    std::uint32_t first_rank_;
    OnOverdueTask on_overdue_;
    std::vector<WorkerState> workers_;
    std::deque<ReceivedReport> ready_;
    Stopwatch clock_;
    Stopwatch since_look_;
    double waited_seconds_ = 0;
};

/// The worker's end. Ends the process when the owner is gone.
class SocketWorkerTransport final : public WorkerTransport {
  public:
    SocketWorkerTransport(int socket, std::uint32_t worker) : socket_(socket), worker_(worker) {}

    std::uint32_t rank() const override { return worker_; }
    Order receive() override;
    void send(const WorkerReport& report) override;

  private:
    int socket_;
    std::uint32_t worker_;
};

}  // namespace schedfarm::engine
