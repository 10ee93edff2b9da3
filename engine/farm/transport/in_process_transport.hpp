// Master and one worker in one process: every call of receive() executes one task.
#pragma once

#include <deque>

#include "engine/farm/stopwatch.hpp"
#include "engine/farm/transport/transport.hpp"

namespace schedfarm::engine {

class InProcessTransport final : public MasterTransport {
  public:
    /// `execute` outlives the transport.
    explicit InProcessTransport(const TaskFunction& execute) : execute_(execute) {}

    std::uint32_t workers() const override { return 1; }
    std::uint32_t rank_of(std::uint32_t /*worker*/) const override { return 0; }
    std::optional<ReceivedReport> receive(double at_most_seconds) override;
    void send(std::uint32_t worker, const Order& order) override;
    void finish() override {}
    double now_s() const override { return clock_.seconds(); }
    double waited_seconds() const override { return 0; }

  private:
    const TaskFunction& execute_;
    Stopwatch clock_;
    std::deque<Task> tasks_;
    bool said_hello_ = false;
};

}  // namespace schedfarm::engine
