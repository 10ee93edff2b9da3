// Orders and reports over MPI: a master and the ranks it gives work to, which are workers or, for
// the master at the top of two levels, sub-masters. Waiting is looking with sleeps in between. The
// master's orders are sent without waiting, so that master and worker never wait for each other,
// however long their messages are.
#pragma once

#include <vector>

#include "engine/farm/farm_layout.hpp"
#include "engine/farm/stopwatch.hpp"
#include "engine/farm/transport/backoff.hpp"
#include "engine/farm/transport/mpi_messages.hpp"
#include "engine/farm/transport/transport.hpp"

namespace schedfarm::engine {

class MpiMasterTransport final : public MasterTransport {
  public:
    /// The master of `workers` consecutive ranks. REQUIRES: MPI is initialized.
    MpiMasterTransport(std::uint32_t first_rank, std::uint32_t workers);
    /// The master of sub-masters.
    explicit MpiMasterTransport(const std::vector<RankGroup>& groups);

    std::uint32_t workers() const override { return static_cast<std::uint32_t>(ranks_.size()); }
    std::vector<std::uint32_t> group_sizes() const override { return group_sizes_; }
    std::uint32_t rank_of(std::uint32_t worker) const override { return ranks_[worker]; }
    std::optional<ReceivedReport> receive(double at_most_seconds) override;
    void send(std::uint32_t worker, const Order& order) override;
    void finish() override;
    double now_s() const override { return clock_.seconds(); }
    double waited_seconds() const override { return waited_seconds_; }

  private:
    std::vector<std::uint32_t> ranks_;  ///< of the workers, ascending
    std::vector<std::uint32_t> group_sizes_;
    Stopwatch clock_;
    double waited_seconds_ = 0;
    Backoff backoff_;  ///< since the last message
    MpiOutbox outbox_;
};

class MpiWorkerTransport final : public WorkerTransport {
  public:
    /// REQUIRES: MPI is initialized.
    explicit MpiWorkerTransport(std::uint32_t master);

    std::uint32_t rank() const override { return rank_; }
    Order receive() override;
    std::optional<Order> receive_if_there() override;
    void send(const WorkerReport& report) override;

  private:
    int master_ = 0;
    std::uint32_t rank_ = 0;
};

}  // namespace schedfarm::engine
