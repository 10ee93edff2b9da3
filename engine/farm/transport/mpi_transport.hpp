// Orders and reports over MPI: a master, which is rank 0, and the ranks it gives work to. Waiting
// is looking with sleeps in between. The master's orders are sent without waiting, so that master
// and worker never wait for each other, however long their messages are.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/farm/stopwatch.hpp"
#include "engine/farm/transport/backoff.hpp"
#include "engine/farm/transport/mpi_messages.hpp"
#include "engine/farm/transport/transport.hpp"

namespace schedfarm::engine {

class MpiMasterTransport final : public MasterTransport {
  public:
    /// The master of the ranks from 1 on. REQUIRES: MPI is initialized.
    explicit MpiMasterTransport(std::uint32_t workers);

    std::uint32_t workers() const override { return workers_; }
    std::optional<ReceivedReport> receive(double at_most_seconds) override;
    void send(std::uint32_t worker, const Order& order) override;
    void finish() override;
    bool may_lose_workers() const override { return true; }
    double now_s() const override { return clock_.seconds(); }
    double waited_seconds() const override { return waited_seconds_; }

  private:
    std::uint32_t workers_;
    Stopwatch clock_;
    double waited_seconds_ = 0;
    Backoff backoff_;  ///< since the last message
    MpiOutbox outbox_;
};

/// A worker's end. Reports leave without being waited for: the master may be gone.
class MpiWorkerTransport {
  public:
    /// The next order, if it is there.
    std::optional<Order> receive();
    void send(const WorkerReport& report);
    bool is_all_sent() const { return outbox_.is_empty(); }

  private:
    MpiOutbox outbox_;
};

}  // namespace schedfarm::engine
