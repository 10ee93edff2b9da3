// The master as a state machine: what workers report goes in, orders for workers come out. It knows
// neither transport nor clock (the caller says what time it is), so that MPI, socket pairs, one
// process, virtual time and tests drive the same code. A worker may have several children: it then
// is given a bundle for each of them.
//
// Rules. A worker is given work when a child of it has none (idle workers first come, first
// served), and one bundle ahead per child when it reports results, so that it need not wait for an
// answer. Nothing is given ahead in the last wave, when the source has no more tasks ready than
// there are children, nor to a worker that holds a second of work per child: a task given ahead
// cannot be taken back. Short tasks travel in bundles. Cost per report: O(its results), plus O(1)
// per order and what the source takes. Memory: some 150 bytes per idle worker, and 40 per task
// under way.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/farm/task.hpp"
#include "engine/farm/transport/messages.hpp"

namespace schedfarm::engine {

struct MasterLimits {
    std::uint32_t bundles_ahead = 1;
    /// Nothing is given ahead to a worker whose tasks are predicted to last longer.
    double ahead_below_seconds = 1;
    /// A bundle is filled up to this predicted time.
    double bundle_seconds = 0.05;
    std::size_t bundle_tasks = 256;
};

/// What a child of a worker has done so far.
struct ChildTally {
    std::uint64_t tasks = 0;
    double busy_seconds = 0;
};

/// A worker that has been silent for long.
struct LostWorker {
    std::string host;
    std::uint32_t first_rank = 0;
    std::uint32_t children = 0;
    std::size_t tasks = 0;  ///< that others are given now
};

/// What one worker has done so far.
struct WorkerTally {
    std::string host;
    std::uint32_t first_rank = 0;
    std::vector<ChildTally> children;  ///< of this rank and those behind it; none before its hello
    double present_seconds = 0;        ///< from its hello to the order to stop
    double starved_seconds = 0;        ///< of these without any task, because the source had none
};

struct AddressedOrder {
    std::uint32_t worker = 0;
    Order order;
};

class Master {
  public:
    /// `source` outlives the master. REQUIRES: workers > 0.
    Master(WorkSource& source, std::uint32_t workers, MasterLimits limits);

    /// Takes a report, hands its results to the source and returns the orders that follow, in the
    /// order in which they are to be sent. Throws WorkerBroken when a worker is, ContractViolation
    /// when the report does not fit what was ordered, or when the source gives no task, awaits
    /// nothing and is not finished.
    std::vector<AddressedOrder> take(
        std::uint32_t worker, const WorkerReport& report, double now_s
    );

    /// Gives out nothing more; what is under way is still taken in. Returns the orders that follow.
    std::vector<AddressedOrder> drain(double now_s);

    /// Gives up a worker, whose tasks others are given: appends the orders that follow. What it
    /// says later is dropped, and answered by stop. REQUIRES: one of present().
    LostWorker lose(std::uint32_t worker, double now_s, std::vector<AddressedOrder>& orders);

    /// True when every worker has been told to stop.
    bool done() const { return stopped_ == workers_.size(); }
    bool draining() const { return draining_; }
    std::vector<WorkerTally> tallies() const;
    /// Those that have not said hello.
    std::vector<std::uint32_t> absent() const;
    /// Those that have, and have not been told to stop.
    std::vector<std::uint32_t> present() const;

  private:
    struct GivenTask {
        std::uint32_t worker = 0;
        bool ends_bundle = false;
        double predicted_seconds = 0;
    };

    struct WorkerState {
        std::uint32_t children = 1;
        std::uint32_t bundles = 0;  ///< given whose last task is not back yet
        std::uint64_t tasks = 0;    ///< given and not back yet
        double predicted_seconds = 0;
        bool present = false;
        bool stopped = false;
        bool lost = false;
        bool in_idle_queue = false;
        double hello_s = 0;
        double starving_since_s = 0;  ///< while it has no task
        WorkerTally tally;
    };

    void take_hello(std::uint32_t worker, const WorkerReport& report, double now_s);
    void take_results(std::uint32_t worker, const WorkerReport& report, double now_s);
    std::size_t take_back(std::uint32_t worker);
    void take_result(std::uint32_t worker, const TaskResult& result);
    void join_idle_queue(std::uint32_t worker);
    void serve_idle_workers(double now_s, std::vector<AddressedOrder>& orders);
    std::uint32_t room_ahead(const WorkerState& worker) const;
    std::uint32_t give_bundles(
        std::uint32_t worker, std::uint32_t at_most, std::vector<AddressedOrder>& orders
    );
    bool no_more_work() const { return draining_ || source_.finished(); }
    std::size_t bundle_limit() const;
    void append_bundle(std::uint32_t worker, std::vector<Task>& tasks);
    void stop_idle_workers(double now_s, std::vector<AddressedOrder>& orders);

    WorkSource& source_;
    MasterLimits limits_;
    std::vector<WorkerState> workers_;
    std::uint64_t children_ = 0;
    std::deque<std::uint32_t> idle_;  ///< present, with a child that was given nothing, not stopped
    std::unordered_map<std::uint64_t, GivenTask> under_way_;  ///< by task
    std::size_t stopped_ = 0;
    bool draining_ = false;
};

}  // namespace schedfarm::engine
