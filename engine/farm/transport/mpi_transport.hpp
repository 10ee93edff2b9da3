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
    double now_s() const override { return clock_.seconds(); }
    double waited_seconds() const override { return waited_seconds_; }

  private:
    std::uint32_t workers_;
    Stopwatch clock_;
    double waited_seconds_ = 0;
    Backoff backoff_;  ///< since the last message
    MpiOutbox outbox_;
};

/// A worker's end: the next order, if it is there.
std::optional<Order> receive_order_over_mpi();
/// Returns when the master has begun to take the report, or MPI has taken a copy.
void send_report_over_mpi(const WorkerReport& report);

}  // namespace schedfarm::engine
