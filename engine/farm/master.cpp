#include "engine/farm/master.hpp"

#include <algorithm>
#include <utility>

#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

Master::Master(WorkSource& source, std::uint32_t workers, MasterLimits limits)
    : source_(source), limits_(limits), workers_(workers), children_(workers) {
    SCHEDFARM_EXPECT(workers > 0, "a farm without workers");
    SCHEDFARM_EXPECT(limits.bundle_tasks > 0, "bundles without tasks");
}

std::vector<AddressedOrder> Master::take(
    std::uint32_t worker, const WorkerReport& report, double now_s
) {
    SCHEDFARM_EXPECT(worker < workers_.size(), "a report of a worker that is not of this farm");
    if (report.kind == ReportKind::broken) {
        throw WorkerBroken(report.text);
    }
    if (workers_[worker].lost) {
        return {{worker, {OrderKind::stop, {}}}};
    }
    std::vector<AddressedOrder> orders;
    if (report.kind == ReportKind::alive) {
        return orders;
    }
    if (report.kind == ReportKind::hello) {
        take_hello(worker, report, now_s);
        serve_idle_workers(now_s, orders);
    } else {
        take_results(worker, report, now_s);
        serve_idle_workers(now_s, orders);
        give_bundles(worker, room_ahead(workers_[worker]), orders);
    }
    if (no_more_work()) {
        stop_idle_workers(now_s, orders);
    }
    SCHEDFARM_EXPECT(
        idle_.empty() || !under_way_.empty(),
        "the source of work gives no task, awaits nothing and is not finished"
    );
    return orders;
}

std::vector<AddressedOrder> Master::drain(double now_s) {
    draining_ = true;
    std::vector<AddressedOrder> orders;
    stop_idle_workers(now_s, orders);
    return orders;
}

LostWorker Master::lose(std::uint32_t worker, double now_s, std::vector<AddressedOrder>& orders) {
    WorkerState& state = workers_[worker];
    SCHEDFARM_EXPECT(state.present && !state.stopped, "a worker is lost that is not there");
    state.lost = state.stopped = true;
    ++stopped_;
    children_ -= state.children;
    state.tally.present_seconds = now_s - state.hello_s;
    std::erase(idle_, worker);
    const LostWorker lost{
        state.tally.host, state.tally.first_rank, state.children, take_back(worker)};
    serve_idle_workers(now_s, orders);
    if (no_more_work()) {
        stop_idle_workers(now_s, orders);
    }
    return lost;
}

/// Returns how many tasks the worker had.
std::size_t Master::take_back(std::uint32_t worker) {
    std::vector<std::uint64_t> tasks;
    for (const auto& [task, given] : under_way_) {
        if (given.worker == worker) {
            tasks.push_back(task);
        }
    }
    std::sort(tasks.begin(), tasks.end());
    for (const std::uint64_t task : tasks) {
        under_way_.erase(task);
        source_.give_again({task});
    }
    return tasks.size();
}

std::vector<WorkerTally> Master::tallies() const {
    std::vector<WorkerTally> tallies;
    for (const WorkerState& worker : workers_) {
        tallies.push_back(worker.tally);
    }
    return tallies;
}

std::vector<std::uint32_t> Master::absent() const {
    std::vector<std::uint32_t> absent;
    for (std::uint32_t worker = 0; worker < workers_.size(); ++worker) {
        if (!workers_[worker].present) {
            absent.push_back(worker);
        }
    }
    return absent;
}

std::vector<std::uint32_t> Master::present() const {
    std::vector<std::uint32_t> present;
    for (std::uint32_t worker = 0; worker < workers_.size(); ++worker) {
        if (workers_[worker].present && !workers_[worker].stopped) {
            present.push_back(worker);
        }
    }
    return present;
}

void Master::take_hello(std::uint32_t worker, const WorkerReport& report, double now_s) {
    WorkerState& state = workers_[worker];
    SCHEDFARM_EXPECT(!state.present, "a worker that says hello twice");
    SCHEDFARM_EXPECT(report.children > 0, "a worker without children");
    state.present = true;
    state.hello_s = state.starving_since_s = now_s;
    state.children = report.children;
    children_ += report.children - 1;
    state.tally.host = report.text;
    state.tally.first_rank = report.first_rank;
    state.tally.children.resize(report.children);
    join_idle_queue(worker);
}

void Master::take_results(std::uint32_t worker, const WorkerReport& report, double now_s) {
    SCHEDFARM_EXPECT(!report.results.empty(), "a report without results");
    for (const TaskResult& result : report.results) {
        take_result(worker, result);
    }
    WorkerState& state = workers_[worker];
    if (state.tasks == 0) {
        state.predicted_seconds = 0;  // without what rounding has left
        state.starving_since_s = now_s;
    }
    if (state.bundles < state.children) {
        join_idle_queue(worker);
    }
}

void Master::take_result(std::uint32_t worker, const TaskResult& result) {
    const auto found = under_way_.find(result.id.value);
    SCHEDFARM_EXPECT(
        found != under_way_.end() && found->second.worker == worker,
        "a result of a task that its worker was not given"
    );
    WorkerState& state = workers_[worker];
    state.bundles -= found->second.ends_bundle ? 1U : 0U;
    state.predicted_seconds -= found->second.predicted_seconds;
    --state.tasks;
    under_way_.erase(found);
    const std::uint32_t child = result.rank - state.tally.first_rank;
    SCHEDFARM_EXPECT(child < state.children, "a result of a rank that is not the worker's");
    ++state.tally.children[child].tasks;
    state.tally.children[child].busy_seconds += result.seconds;
    source_.accept(result);
}

void Master::join_idle_queue(std::uint32_t worker) {
    if (!std::exchange(workers_[worker].in_idle_queue, true)) {
        idle_.push_back(worker);
    }
}

void Master::serve_idle_workers(double now_s, std::vector<AddressedOrder>& orders) {
    while (!idle_.empty()) {
        WorkerState& state = workers_[idle_.front()];
        const bool was_starving = state.tasks == 0;
        const std::uint32_t wanted = state.children - state.bundles;
        const std::uint32_t given = give_bundles(idle_.front(), wanted, orders);
        if (given > 0 && was_starving) {
            state.tally.starved_seconds += now_s - state.starving_since_s;
        }
        if (given < wanted) {
            return;
        }
        state.in_idle_queue = false;
        idle_.pop_front();
    }
}

/// How many bundles may be given ahead to a worker that has something to do.
std::uint32_t Master::room_ahead(const WorkerState& worker) const {
    const std::uint32_t most = worker.children * (1 + limits_.bundles_ahead);
    if (worker.tasks == 0 || worker.bundles >= most
        || worker.predicted_seconds >= limits_.ahead_below_seconds * worker.children
        || no_more_work()) {
        return 0;
    }
    const auto ready = source_.tasks_ready();
    return !ready || *ready > children_ ? std::min(worker.children, most - worker.bundles) : 0;
}

/// Returns how many bundles the source had.
std::uint32_t Master::give_bundles(
    std::uint32_t worker, std::uint32_t at_most, std::vector<AddressedOrder>& orders
) {
    Order order{OrderKind::work, {}};
    while (order.bundle_sizes.size() < at_most) {
        const std::size_t before = order.tasks.size();
        append_bundle(worker, order.tasks);
        if (order.tasks.size() == before) {
            break;
        }
        order.bundle_sizes.push_back(static_cast<std::uint32_t>(order.tasks.size() - before));
    }
    const auto given = static_cast<std::uint32_t>(order.bundle_sizes.size());
    if (given > 0) {
        orders.push_back({worker, std::move(order)});
    }
    return given;
}

/// Appends the next bundle to `tasks`: nothing where the source has none.
void Master::append_bundle(std::uint32_t worker, std::vector<Task>& tasks) {
    WorkerState& state = workers_[worker];
    const std::size_t limit = tasks.size() + bundle_limit();
    double predicted_seconds = 0;
    GivenTask* last = nullptr;
    while (tasks.size() < limit && predicted_seconds < limits_.bundle_seconds && !no_more_work()) {
        std::optional<Task> task = source_.next_task();
        if (!task) {
            break;
        }
        const auto [given, is_new] = under_way_.try_emplace(
            task->id.value, GivenTask{worker, false, task->predicted_seconds}
        );
        SCHEDFARM_EXPECT(is_new, "the source gives a task that is under way");
        last = &given->second;
        predicted_seconds += task->predicted_seconds;
        ++state.tasks;
        const bool unknown = task->predicted_seconds <= 0;
        tasks.push_back(std::move(*task));
        if (unknown) {
            break;
        }
    }
    if (last != nullptr) {
        last->ends_bundle = true;
        ++state.bundles;
        state.predicted_seconds += predicted_seconds;
    }
}

/// Among several children half of an even share of what is ready, so that the last bundles are
/// small.
std::size_t Master::bundle_limit() const {
    const auto ready = source_.tasks_ready();
    if (!ready) {
        return limits_.bundle_tasks;
    }
    const std::uint64_t share = children_ <= 1 ? *ready : *ready / (2 * children_);
    return std::clamp<std::uint64_t>(share, 1, limits_.bundle_tasks);
}

/// A worker stays in the queue while some of its children have tasks.
void Master::stop_idle_workers(double now_s, std::vector<AddressedOrder>& orders) {
    std::erase_if(idle_, [&](std::uint32_t worker) {
        WorkerState& state = workers_[worker];
        if (state.tasks > 0) {
            return false;
        }
        state.tally.present_seconds = now_s - state.hello_s;
        state.tally.starved_seconds += now_s - state.starving_since_s;
        state.stopped = true;
        orders.push_back({worker, {OrderKind::stop, {}}});
        ++stopped_;
        return true;
    });
}

}  // namespace schedfarm::engine
