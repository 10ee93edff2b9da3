// A farm in virtual time: workers that take as long as they are told to, messages that take as long
// as is stated, and a master and worker rules that are the real ones. It shows what a farm of many
// workers would do, in seconds and on one core.
//
// A master is a server with a queue: it takes messages in the order of their arrival, and each
// costs it time. A task's duration and everything else is a function of the arguments; messages of
// one instant are taken in the order of sending. Cost: O(log messages under way) per message.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <queue>
#include <vector>

#include "engine/farm/farm.hpp"
#include "engine/farm/transport/transport.hpp"

#include "tests/support/virtual_farm/virtual_worker.hpp"

namespace schedfarm::engine {

/// What messages cost the master that takes or sends them, and how long they travel.
struct MessageCosts {
    double message_seconds = 0;  ///< each, hellos and orders to stop included
    double task_seconds = 0;     ///< for each task or result in it
    double latency_seconds = 0;
};

struct VirtualRanks {
    std::uint32_t workers = 1;
    MessageCosts costs;
    /// How long a task keeps its worker.
    TaskDuration duration;
    /// The result's payload; empty: none.
    TaskFunction execute = {};
};

class VirtualTimeTransport final : public MasterTransport {
  public:
    /// REQUIRES: ranks.workers > 0 and a duration.
    explicit VirtualTimeTransport(VirtualRanks ranks);

    std::uint32_t workers() const override { return ranks_.workers; }
    /// Throws ContractViolation where no report can ever come: the farm would hang.
    std::optional<ReceivedReport> receive(double at_most_seconds) override;
    void send(std::uint32_t worker, const Order& order) override;
    void finish() override {}
    double now_s() const override { return now_s_; }
    double waited_seconds() const override { return waited_seconds_; }
    /// How long the workers have executed tasks up to now, together.
    double busy_seconds() const;

  private:
    /// A message at its arrival: an order at its worker, or a report at the master.
    struct Event {
        double at_s = 0;
        std::uint64_t sequence = 0;
        std::uint32_t worker = 0;
        std::shared_ptr<const Order> order = {};
        std::shared_ptr<const WorkerReport> report = {};
    };
    struct Later {
        bool operator()(const Event& a, const Event& b) const {
            return a.at_s != b.at_s ? a.at_s > b.at_s : a.sequence > b.sequence;
        }
    };

    void post(Event event);
    void report_from_worker(std::uint32_t worker, WorkerReport report, double now_s);
    double cost(std::size_t tasks) const;

    VirtualRanks ranks_;
    std::vector<VirtualWorker> workers_;
    std::priority_queue<Event, std::vector<Event>, Later> events_;
    std::uint64_t sequence_ = 0;
    double now_s_ = 0;
    double waited_seconds_ = 0;
};

}  // namespace schedfarm::engine
