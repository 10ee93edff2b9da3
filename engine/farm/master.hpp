// The master as a state machine: what workers report goes in, orders for workers come out. It knows
// neither transport nor clock (the caller says what time it is), so that MPI, one process, virtual
// time and tests drive the same code; a worker may as well be a sub-master with workers of its own.
//
// Rules. A worker is given work when it has none (idle workers first come, first served), and one
// bundle ahead when it reports results, so that it need not wait for an answer. Nothing is given
// ahead in the last wave, when the source has no more tasks ready than there are workers, nor to a
// worker that holds a second of work: a task given ahead cannot be taken back. Short tasks travel
// in bundles. Cost per report: O(its results), plus O(1) per order and what the source takes.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "engine/farm/messages.hpp"
#include "engine/farm/task.hpp"

namespace schedfarm::engine {

struct MasterLimits {
    std::uint32_t bundles_ahead = 1;
    /// Nothing is given ahead to a worker whose tasks are predicted to last longer.
    double ahead_below_seconds = 1;
    /// A bundle is filled up to this predicted time.
    double bundle_seconds = 0.05;
    std::size_t bundle_tasks = 256;
};

/// What one worker has done so far.
struct WorkerTally {
    std::string host;
    std::uint64_t tasks = 0;
    double busy_seconds = 0;
    double present_seconds = 0;  ///< from its hello to the order to stop
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
    /// order in which they are to be sent. Throws ContractViolation when the report does not fit
    /// what was ordered, or when the source gives no task, awaits no result and is not finished.
    std::vector<AddressedOrder> take(
        std::uint32_t worker, const WorkerReport& report, double now_s
    );

    /// Gives out nothing more; what is under way is still taken in. Returns the orders that follow.
    std::vector<AddressedOrder> drain(double now_s);

    /// True when every worker has been told to stop.
    bool done() const { return stopped_ == workers_.size(); }
    bool draining() const { return draining_; }
    std::uint64_t tasks_under_way() const { return under_way_; }
    std::vector<WorkerTally> tallies() const;

  private:
    struct GivenTask {
        TaskId id;
        double predicted_seconds = 0;
        bool ends_bundle = false;
    };

    struct WorkerState {
        std::deque<GivenTask> given;  ///< in the order in which results must come
        std::uint32_t bundles = 0;
        double predicted_seconds = 0;
        bool present = false;
        double hello_s = 0;
        WorkerTally tally;
    };

    void take_result(WorkerState& worker, const TaskResult& result);
    void serve_idle_workers(std::vector<AddressedOrder>& orders);
    bool give_bundle(std::uint32_t worker, std::vector<AddressedOrder>& orders);
    bool no_more_work() const { return draining_ || source_.finished(); }
    bool may_give_ahead(const WorkerState& worker) const;
    std::size_t bundle_limit() const;
    std::vector<Task> next_bundle();
    void stop_idle_workers(double now_s, std::vector<AddressedOrder>& orders);

    WorkSource& source_;
    MasterLimits limits_;
    std::vector<WorkerState> workers_;
    std::deque<std::uint32_t> idle_;  ///< present, nothing given, not stopped
    std::uint64_t under_way_ = 0;
    std::size_t stopped_ = 0;
    bool draining_ = false;
};

}  // namespace schedfarm::engine
