// Virtual workers over real MPI: every rank but the master's impersonates thousands of workers
// whose tasks take wall time but no processor time. The master, its state machine, loop and
// messages are the real ones, so that a machine of a few cores can load it as 10^5 ranks would. For
// measurements.
//
// With two levels a rank impersonates sub-masters, which are the real ones too, and their workers.
// A message's tag names the virtual worker, or sub-master, of its rank.
#pragma once

#include "engine/farm/stopwatch.hpp"
#include "engine/farm/transport/mpi_messages.hpp"
#include "engine/farm/transport/transport.hpp"

#include "tests/support/virtual_farm/virtual_worker.hpp"

namespace schedfarm::engine {

/// The master's end: worker w is number w mod `per_rank` of rank 1 + w / `per_rank`.
class MpiEmulatedTransport final : public MasterTransport {
  public:
    /// REQUIRES: MPI is initialized, and ranks 1 … `ranks` call impersonate_workers(), or, with
    /// `group_workers` > 0, impersonate_groups(); `per_rank` then counts sub-masters.
    MpiEmulatedTransport(
        std::uint32_t ranks, std::uint32_t per_rank, std::uint32_t group_workers = 0
    );

    std::uint32_t workers() const override { return ranks_ * per_rank_; }
    std::vector<std::uint32_t> group_sizes() const override;
    std::uint32_t rank_of(std::uint32_t worker) const override { return 1 + worker / per_rank_; }
    std::optional<ReceivedReport> receive(double at_most_seconds) override;
    void send(std::uint32_t worker, const Order& order) override;
    void finish() override;
    double now_s() const override { return clock_.seconds(); }
    double waited_seconds() const override { return waited_seconds_; }

  private:
    std::uint32_t ranks_ = 0;
    std::uint32_t per_rank_ = 0;
    std::uint32_t group_workers_ = 0;
    Stopwatch clock_;
    double waited_seconds_ = 0;
    MpiOutbox outbox_;
};

/// Is `per_rank` workers until the master has told each to stop.
void impersonate_workers(std::uint32_t per_rank, const TaskDuration& duration);

/// Is `groups` sub-masters with `group_workers` workers each until each has been told to stop.
void impersonate_groups(
    std::uint32_t groups, std::uint32_t group_workers, const TaskDuration& duration
);

}  // namespace schedfarm::engine
