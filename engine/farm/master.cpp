#include "engine/farm/master.hpp"

#include <algorithm>

#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

Master::Master(WorkSource& source, std::uint32_t workers, MasterLimits limits)
    : source_(source), limits_(limits), workers_(workers) {
    SCHEDFARM_EXPECT(workers > 0, "a farm without workers");
    SCHEDFARM_EXPECT(limits.bundle_tasks > 0, "bundles without tasks");
}

std::vector<AddressedOrder> Master::take(
    std::uint32_t worker, const WorkerReport& report, double now_s
) {
    SCHEDFARM_EXPECT(worker < workers_.size(), "a report of a worker that is not of this farm");
    WorkerState& state = workers_[worker];
    std::vector<AddressedOrder> orders;
    if (report.kind == ReportKind::hello) {
        SCHEDFARM_EXPECT(!state.present, "a worker that says hello twice");
        state.present = true;
        state.hello_s = now_s;
        state.tally.host = report.host;
        idle_.push_back(worker);
        serve_idle_workers(orders);
    } else {
        SCHEDFARM_EXPECT(!report.results.empty(), "a report without results");
        for (const TaskResult& result : report.results) {
            take_result(state, result);
        }
        if (state.given.empty()) {
            idle_.push_back(worker);
        }
        serve_idle_workers(orders);
        if (may_give_ahead(state)) {
            give_bundle(worker, orders);
        }
    }
    if (no_more_work()) {
        stop_idle_workers(now_s, orders);
    }
    SCHEDFARM_EXPECT(
        idle_.empty() || under_way_ > 0,
        "the source of work gives no task, awaits no result and is not finished"
    );
    return orders;
}

std::vector<AddressedOrder> Master::drain(double now_s) {
    draining_ = true;
    std::vector<AddressedOrder> orders;
    stop_idle_workers(now_s, orders);
    return orders;
}

std::vector<WorkerTally> Master::tallies() const {
    std::vector<WorkerTally> tallies;
    for (const WorkerState& worker : workers_) {
        tallies.push_back(worker.tally);
    }
    return tallies;
}

void Master::take_result(WorkerState& worker, const TaskResult& result) {
    SCHEDFARM_EXPECT(
        !worker.given.empty() && worker.given.front().id == result.id,
        "a result that is not the next one of its worker"
    );
    const GivenTask given = worker.given.front();
    worker.given.pop_front();
    worker.bundles -= given.ends_bundle ? 1U : 0U;
    worker.predicted_seconds =
        worker.given.empty() ? 0 : worker.predicted_seconds - given.predicted_seconds;
    --under_way_;
    ++worker.tally.tasks;
    worker.tally.busy_seconds += result.seconds;
    source_.accept(result);
}

void Master::serve_idle_workers(std::vector<AddressedOrder>& orders) {
    while (!idle_.empty() && give_bundle(idle_.front(), orders)) {
        idle_.pop_front();
    }
}

bool Master::may_give_ahead(const WorkerState& worker) const {
    if (worker.given.empty() || worker.bundles > limits_.bundles_ahead
        || worker.predicted_seconds >= limits_.ahead_below_seconds || no_more_work()) {
        return false;
    }
    const auto ready = source_.tasks_ready();
    return !ready || *ready > workers_.size();
}

bool Master::give_bundle(std::uint32_t worker, std::vector<AddressedOrder>& orders) {
    std::vector<Task> tasks = next_bundle();
    if (tasks.empty()) {
        return false;
    }
    WorkerState& state = workers_[worker];
    for (const Task& task : tasks) {
        state.given.push_back({.id = task.id, .predicted_seconds = task.predicted_seconds});
        state.predicted_seconds += task.predicted_seconds;
    }
    state.given.back().ends_bundle = true;
    ++state.bundles;
    under_way_ += tasks.size();
    orders.push_back({worker, {OrderKind::work, std::move(tasks)}});
    return true;
}

std::vector<Task> Master::next_bundle() {
    std::vector<Task> tasks;
    const std::size_t limit = bundle_limit();
    double predicted_seconds = 0;
    while (tasks.size() < limit && predicted_seconds < limits_.bundle_seconds && !no_more_work()) {
        std::optional<Task> task = source_.next_task();
        if (!task) {
            break;
        }
        predicted_seconds += task->predicted_seconds;
        const bool unknown = task->predicted_seconds <= 0;
        tasks.push_back(std::move(*task));
        if (unknown) {
            break;
        }
    }
    return tasks;
}

/// Half of an even share of what is ready, so that the last bundles are small ones.
std::size_t Master::bundle_limit() const {
    const auto ready = source_.tasks_ready();
    if (!ready) {
        return limits_.bundle_tasks;
    }
    const std::uint64_t share = *ready / (2 * workers_.size());
    return std::clamp<std::uint64_t>(share, 1, limits_.bundle_tasks);
}

void Master::stop_idle_workers(double now_s, std::vector<AddressedOrder>& orders) {
    for (const std::uint32_t worker : idle_) {
        workers_[worker].tally.present_seconds = now_s - workers_[worker].hello_s;
        orders.push_back({worker, {OrderKind::stop, {}}});
        ++stopped_;
    }
    idle_.clear();
}

}  // namespace schedfarm::engine
