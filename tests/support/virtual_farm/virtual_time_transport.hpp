// A farm in virtual time: workers that take as long as they are told to, messages that take as long
// as is stated, and a master, sub-masters and worker rules that are the real ones. It shows what a
// farm of 10^5 ranks would do, in seconds and on one core.
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
#include "engine/farm/sub_master.hpp"
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
    /// Two levels: workers per sub-master (the last may have fewer); 0: one level.
    std::uint32_t group_workers = 0;
    MessageCosts costs;
    /// A sub-master's; absent: the same.
    std::optional<MessageCosts> group_costs = {};
    /// How long a task keeps its worker.
    TaskDuration duration;
    /// The result's payload; empty: none.
    TaskFunction execute = {};
};

class VirtualTimeTransport final : public MasterTransport {
  public:
    /// REQUIRES: ranks.workers > 0 and a duration.
    explicit VirtualTimeTransport(VirtualRanks ranks);

    std::uint32_t workers() const override;
    std::vector<std::uint32_t> group_sizes() const override;
    /// One level: workers are ranks 1 … P. Two: a sub-master's rank is followed by its workers'.
    std::uint32_t rank_of(std::uint32_t worker) const override;
    /// Throws ContractViolation where no report can ever come: the farm would hang.
    std::optional<ReceivedReport> receive(double at_most_seconds) override;
    void send(std::uint32_t worker, const Order& order) override;
    void finish() override {}
    double now_s() const override { return now_s_; }
    double waited_seconds() const override { return waited_seconds_; }
    /// How long the workers have executed tasks up to now, together.
    double busy_seconds() const;

  private:
    struct Group {
        Group(std::uint32_t first, std::uint32_t workers) : first_worker(first), machine(workers) {}

        std::uint32_t first_worker;
        SubMaster machine;
        RankOverhead own;
        double free_s = 0;  ///< when it has done with the messages that it has taken
        bool alarm_is_set = false;
        bool said_farewell = false;
    };

    enum class Receiver : std::uint8_t { master, sub_master, worker };

    /// A message at its arrival, or an alarm of a sub-master: neither order nor report.
    struct Event {
        double at_s = 0;
        std::uint64_t sequence = 0;
        Receiver receiver = Receiver::master;
        std::uint32_t index = 0;   ///< of the sub-master or worker that receives
        std::uint32_t sender = 0;  ///< of a report: the worker's number with its master
        std::shared_ptr<const Order> order = {};
        std::shared_ptr<const WorkerReport> report = {};
    };
    struct Later {
        bool operator()(const Event& a, const Event& b) const {
            return a.at_s != b.at_s ? a.at_s > b.at_s : a.sequence > b.sequence;
        }
    };

    void post(Event event);
    void work(std::uint32_t worker, const Order& order, double now_s);
    void report_from_worker(std::uint32_t worker, WorkerReport report, double now_s);
    void serve(const Event& event);
    void report_from_group(std::uint32_t index, WorkerReport report);
    void set_alarm(std::uint32_t index);
    void say_farewell(std::uint32_t index);
    double cost(std::size_t tasks) const;
    double group_cost(std::size_t tasks) const;

    VirtualRanks ranks_;
    std::vector<std::unique_ptr<Group>> groups_;
    std::vector<VirtualWorker> workers_;
    std::priority_queue<Event, std::vector<Event>, Later> events_;
    std::uint64_t sequence_ = 0;
    double now_s_ = 0;
    double waited_seconds_ = 0;
};

}  // namespace schedfarm::engine
