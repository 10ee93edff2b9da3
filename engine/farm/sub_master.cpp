#include "engine/farm/sub_master.hpp"

#include <iterator>
#include <utility>

#include "engine/farm/master_loop.hpp"
#include "engine/farm/stopwatch.hpp"
#include "engine/farm/transport/backoff.hpp"
#include "engine/farm/worker.hpp"
#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

namespace {

constexpr double longest_sub_master_delay_seconds = 0.005;
constexpr BackoffLimits sub_master_waits{.looks = 20, .longest = std::chrono::milliseconds(5)};

WorkerReport farewell_of(
    const SubMaster& sub_master, const MasterTransport& below, const RankOverhead& own
) {
    WorkerReport farewell{ReportKind::farewell, {}, {}, {own}};
    std::uint32_t worker = 0;
    for (const WorkerTally& tally : sub_master.tallies()) {
        farewell.ranks.push_back(overhead_of(tally, below.rank_of(worker++)));
    }
    return farewell;
}

/// Takes a message from above or from below; false: there is none.
bool step(
    SubMaster& sub_master, WorkerTransport& above, MasterTransport& below, const Stopwatch& clock
) {
    std::vector<AddressedOrder> orders;
    bool is_idle = false;
    if (auto order = above.receive_if_there()) {
        orders = sub_master.take_order(std::move(*order), clock.seconds());
    } else if (const auto received = below.receive(0)) {
        orders = sub_master.take_report(received->worker, received->report, clock.seconds());
    } else {
        is_idle = true;
    }
    for (const AddressedOrder& addressed : orders) {
        below.send(addressed.worker, addressed.order);
    }
    if (const auto report = sub_master.report_if_due(clock.seconds())) {
        above.send(*report);
    }
    return !is_idle;
}

}  // namespace

std::optional<Task> SubMaster::Relay::next_task() {
    if (tasks.empty()) {
        return std::nullopt;
    }
    Task task = std::move(tasks.front());
    tasks.pop_front();
    return task;
}

SubMaster::SubMaster(std::uint32_t workers)
    : workers_(workers), master_(relay_, workers, MasterLimits{}) {}

std::vector<AddressedOrder> SubMaster::take_order(Order order, double now_s) {
    SCHEDFARM_EXPECT(!relay_.stopped, "an order after the order to stop");
    relay_.stopped = order.kind == OrderKind::stop;
    relay_.tasks.insert(
        relay_.tasks.end(),
        std::make_move_iterator(order.tasks.begin()),
        std::make_move_iterator(order.tasks.end())
    );
    return master_.source_changed(now_s);
}

std::vector<AddressedOrder> SubMaster::take_report(
    std::uint32_t worker, const WorkerReport& report, double now_s
) {
    const bool had_none = relay_.results.empty();
    auto orders = master_.take(worker, report, now_s);
    if (had_none && !relay_.results.empty()) {
        oldest_result_s_ = now_s;
    }
    return orders;
}

std::optional<WorkerReport> SubMaster::report_if_due(double now_s) {
    if (!report_is_due(now_s)) {
        return std::nullopt;
    }
    return WorkerReport{ReportKind::results, {}, std::exchange(relay_.results, {}), {}};
}

bool SubMaster::report_is_due(double now_s) const {
    const bool nothing_to_come = master_.tasks_under_way() == 0 && relay_.tasks.empty();
    return !relay_.results.empty()
           && (nothing_to_come || relay_.results.size() >= workers_
               || now_s >= oldest_result_s_ + longest_sub_master_delay_seconds);
}

std::optional<double> SubMaster::report_due_s() const {
    if (relay_.results.empty()) {
        return std::nullopt;
    }
    return oldest_result_s_ + longest_sub_master_delay_seconds;
}

void serve_group(WorkerTransport& above, MasterTransport& below) {
    const Stopwatch clock;
    SubMaster sub_master(below.workers());
    RankOverhead own;
    own.rank = above.rank();
    own.host = host_name();
    above.send({ReportKind::hello, own.host, {}, {}});
    Backoff backoff(sub_master_waits);
    while (!sub_master.done()) {
        if (step(sub_master, above, below, clock)) {
            backoff = Backoff(sub_master_waits);
        } else {
            const Stopwatch waited;
            backoff.wait();
            own.idle_seconds += waited.seconds();
        }
    }
    below.finish();
    own.dispatch_seconds = clock.seconds() - own.idle_seconds;
    above.send(farewell_of(sub_master, below, own));
}

}  // namespace schedfarm::engine
