// Messages over MPI: rank 0 is the master, rank r is worker r − 1. Waiting is probing with sleeps
// in between: a blocking receive of MPI would burn a core. The master's orders are sent without
// waiting, so that master and worker never wait for each other, however long their messages are.
#pragma once

#include <memory>
#include <vector>

#include <mpi.h>

#include "engine/farm/stopwatch.hpp"
#include "engine/farm/transport.hpp"

namespace schedfarm::engine {

class MpiMasterTransport final : public MasterTransport {
  public:
    /// REQUIRES: MPI is initialized, this is rank 0 and there are others.
    MpiMasterTransport();
    MpiMasterTransport(const MpiMasterTransport&) = delete;
    MpiMasterTransport& operator=(const MpiMasterTransport&) = delete;
    ~MpiMasterTransport() override;

    std::uint32_t workers() const override { return workers_; }
    std::uint32_t rank_of(std::uint32_t worker) const override { return worker + 1; }
    std::optional<ReceivedReport> receive(double at_most_seconds) override;
    void send(std::uint32_t worker, const Order& order) override;
    void finish() override;
    double now_s() const override { return clock_.seconds(); }

  private:
    struct OrderUnderWay {
        Bytes bytes;
        MPI_Request request = MPI_REQUEST_NULL;
    };

    /// Lets go of the orders that have left.
    void release_sent();

    std::uint32_t workers_ = 0;
    Stopwatch clock_;
    std::vector<std::unique_ptr<OrderUnderWay>> under_way_;
};

class MpiWorkerTransport final : public WorkerTransport {
  public:
    /// REQUIRES: MPI is initialized and this is not rank 0.
    MpiWorkerTransport();

    std::uint32_t rank() const override { return rank_; }
    Order receive() override;
    void send(const WorkerReport& report) override;

  private:
    std::uint32_t rank_ = 0;
};

}  // namespace schedfarm::engine
