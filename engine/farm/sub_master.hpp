// The middle of two levels: a worker to the master above, a master to its own ranks. A state
// machine like the master, without transport and clock. What comes from above is given on by the
// rules of a master; results are gathered, so that the master above takes one report where it would
// take one per rank.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "engine/farm/master.hpp"
#include "engine/farm/transport/transport.hpp"

namespace schedfarm::engine {

class SubMaster {
  public:
    /// REQUIRES: workers > 0.
    explicit SubMaster(std::uint32_t workers);

    /// Takes an order of the master above; returns the orders to the ranks that follow.
    std::vector<AddressedOrder> take_order(Order order, double now_s);
    /// Takes a report of a rank; returns the orders to the ranks that follow.
    std::vector<AddressedOrder> take_report(
        std::uint32_t worker, const WorkerReport& report, double now_s
    );

    /// The gathered results, once there is one per rank, the oldest has waited for 5 ms, or nothing
    /// else is to come.
    std::optional<WorkerReport> report_if_due(double now_s);
    /// When a report falls due if nothing happens before; absent: not at all.
    std::optional<double> report_due_s() const;

    /// True when every rank has been told to stop.
    bool done() const { return master_.done(); }
    std::vector<WorkerTally> tallies() const { return master_.tallies(); }

  private:
    /// What lies between the two masters.
    class Relay final : public WorkSource {
      public:
        std::optional<Task> next_task() override;
        void accept(const TaskResult& result) override { results.push_back(result); }
        bool finished() const override { return stopped && tasks.empty(); }
        std::optional<std::uint64_t> tasks_ready() const override { return tasks.size(); }
        bool awaits_others() const override { return true; }

        std::deque<Task> tasks;
        std::vector<TaskResult> results;
        bool stopped = false;
    };

    bool report_is_due(double now_s) const;

    std::uint32_t workers_ = 0;
    Relay relay_;
    Master master_;
    double oldest_result_s_ = 0;
};

/// Says hello, then is the master of the group until the master above says stop.
void serve_group(WorkerTransport& above, MasterTransport& below);

}  // namespace schedfarm::engine
