// Master and one worker in one process: every call of receive() executes the next task,
// or the next tasks together.
#pragma once

#include <utility>
#include <vector>

#include "engine/farm/stopwatch.hpp"
#include "engine/farm/task_executor.hpp"
#include "engine/farm/transport/transport.hpp"

namespace schedfarm::engine {

class InProcessTransport final : public MasterTransport {
  public:
    explicit InProcessTransport(TaskExecutor execute) : execute_(std::move(execute)) {}

    std::uint32_t workers() const override { return 1; }
    std::optional<ReceivedReport> receive(double at_most_seconds) override;
    void send(std::uint32_t worker, const Order& order) override;
    void finish() override {}
    double now_s() const override { return clock_.seconds(); }
    double waited_seconds() const override { return 0; }

  private:
    TaskExecutor execute_;
    Stopwatch clock_;
    std::vector<Task> tasks_;
    bool said_hello_ = false;
};

}  // namespace schedfarm::engine
