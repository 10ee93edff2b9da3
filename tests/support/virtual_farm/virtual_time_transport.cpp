#include "tests/support/virtual_farm/virtual_time_transport.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "engine/farm/master_loop.hpp"
#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

namespace {

constexpr const char* virtual_host = "virtual";

WorkerReport hello() {
    return {ReportKind::hello, virtual_host, {}, {}};
}

double cost_of(const MessageCosts& costs, std::size_t tasks) {
    return costs.message_seconds + costs.task_seconds * static_cast<double>(tasks);
}

}  // namespace

VirtualTimeTransport::VirtualTimeTransport(VirtualRanks ranks) : ranks_(std::move(ranks)) {
    SCHEDFARM_EXPECT(ranks_.workers > 0, "a farm without workers");
    SCHEDFARM_EXPECT(ranks_.duration, "virtual tasks without a duration");
    const std::uint32_t size = ranks_.group_workers;
    for (std::uint32_t first = 0; size > 0 && first < ranks_.workers; first += size) {
        const std::uint32_t workers = std::min(size, ranks_.workers - first);
        const auto index = static_cast<std::uint32_t>(groups_.size());
        Group& group = *groups_.emplace_back(std::make_unique<Group>(first, workers));
        group.own.rank = first + index + 1;
        group.own.host = virtual_host;
        report_from_group(index, hello());
    }
    for (std::uint32_t worker = 0; worker < ranks_.workers; ++worker) {
        workers_.emplace_back(worker + 1 + (size > 0 ? worker / size + 1 : 0));
        report_from_worker(worker, hello(), 0);
    }
}

std::uint32_t VirtualTimeTransport::workers() const {
    return groups_.empty() ? ranks_.workers : static_cast<std::uint32_t>(groups_.size());
}

std::vector<std::uint32_t> VirtualTimeTransport::group_sizes() const {
    std::vector<std::uint32_t> sizes;
    for (const auto& group : groups_) {
        sizes.push_back(std::min(ranks_.group_workers, ranks_.workers - group->first_worker));
    }
    return sizes;
}

std::uint32_t VirtualTimeTransport::rank_of(std::uint32_t worker) const {
    return groups_.empty() ? workers_[worker].rank() : groups_[worker]->own.rank;
}

double VirtualTimeTransport::busy_seconds() const {
    return std::accumulate(
        workers_.begin(),
        workers_.end(),
        0.0,
        [this](double sum, const VirtualWorker& worker) {
            return sum + worker.busy_seconds(now_s_);
        }
    );
}

std::optional<ReceivedReport> VirtualTimeTransport::receive(double at_most_seconds) {
    const double deadline_s = now_s_ + at_most_seconds;
    SCHEDFARM_EXPECT(!events_.empty(), "nothing is under way: the farm would wait for ever");
    while (!events_.empty() && events_.top().at_s <= deadline_s) {
        const Event event = events_.top();
        events_.pop();
        if (event.receiver == Receiver::worker) {
            work(event.index, *event.order, event.at_s);
        } else if (event.receiver == Receiver::sub_master) {
            serve(event);
        } else {
            const double start_s = std::max(now_s_, event.at_s);
            waited_seconds_ += start_s - now_s_;
            now_s_ = start_s + cost(event.report->results.size());
            return ReceivedReport{event.sender, *event.report};
        }
    }
    waited_seconds_ += deadline_s - now_s_;
    now_s_ = deadline_s;
    return std::nullopt;
}

void VirtualTimeTransport::send(std::uint32_t worker, const Order& order) {
    now_s_ += cost(order.tasks.size());
    post({
        .at_s = now_s_ + ranks_.costs.latency_seconds,
        .receiver = groups_.empty() ? Receiver::worker : Receiver::sub_master,
        .index = worker,
        .order = std::make_shared<const Order>(order),
    });
}

double VirtualTimeTransport::cost(std::size_t tasks) const {
    return cost_of(ranks_.costs, tasks);
}

double VirtualTimeTransport::group_cost(std::size_t tasks) const {
    return cost_of(ranks_.group_costs.value_or(ranks_.costs), tasks);
}

void VirtualTimeTransport::post(Event event) {
    event.sequence = sequence_++;
    events_.push(std::move(event));
}

void VirtualTimeTransport::work(std::uint32_t worker, const Order& order, double now_s) {
    for (TimedReport& timed :
         workers_[worker].work(order, now_s, ranks_.duration, ranks_.execute)) {
        report_from_worker(worker, std::move(timed.report), timed.at_s);
    }
}

void VirtualTimeTransport::report_from_worker(
    std::uint32_t worker, WorkerReport report, double now_s
) {
    const std::uint32_t group = groups_.empty() ? 0 : worker / ranks_.group_workers;
    post({
        .at_s = now_s + ranks_.costs.latency_seconds,
        .receiver = groups_.empty() ? Receiver::master : Receiver::sub_master,
        .index = group,
        .sender = worker - (groups_.empty() ? 0 : groups_[group]->first_worker),
        .report = std::make_shared<const WorkerReport>(std::move(report)),
    });
}

/// A sub-master takes a message, or wakes because a report falls due.
void VirtualTimeTransport::serve(const Event& event) {
    Group& group = *groups_[event.index];
    std::vector<AddressedOrder> orders;
    const double start_s = std::max(group.free_s, event.at_s);
    group.own.idle_seconds += start_s - group.free_s;
    group.free_s = start_s;
    if (event.order) {
        group.free_s += group_cost(event.order->tasks.size());
        orders = group.machine.take_order(*event.order, group.free_s);
    } else if (event.report) {
        group.free_s += group_cost(event.report->results.size());
        orders = group.machine.take_report(event.sender, *event.report, group.free_s);
    } else {
        group.alarm_is_set = false;
    }
    for (AddressedOrder& addressed : orders) {
        group.free_s += group_cost(addressed.order.tasks.size());
        post({
            .at_s = group.free_s + ranks_.costs.latency_seconds,
            .receiver = Receiver::worker,
            .index = group.first_worker + addressed.worker,
            .order = std::make_shared<const Order>(std::move(addressed.order)),
        });
    }
    if (auto report = group.machine.report_if_due(group.free_s)) {
        report_from_group(event.index, std::move(*report));
    }
    set_alarm(event.index);
    if (group.machine.done() && !std::exchange(group.said_farewell, true)) {
        say_farewell(event.index);
    }
}

void VirtualTimeTransport::report_from_group(std::uint32_t index, WorkerReport report) {
    Group& group = *groups_[index];
    group.free_s += group_cost(report.results.size());
    post({
        .at_s = group.free_s + ranks_.costs.latency_seconds,
        .sender = index,
        .report = std::make_shared<const WorkerReport>(std::move(report)),
    });
}

/// An alarm at most, because an early one does no harm and a new one follows it.
void VirtualTimeTransport::set_alarm(std::uint32_t index) {
    Group& group = *groups_[index];
    const auto due_s = group.machine.report_due_s();
    if (due_s && !std::exchange(group.alarm_is_set, true)) {
        post({.at_s = *due_s, .receiver = Receiver::sub_master, .index = index});
    }
}

void VirtualTimeTransport::say_farewell(std::uint32_t index) {
    Group& group = *groups_[index];
    group.own.dispatch_seconds = group.free_s - group.own.idle_seconds;
    WorkerReport farewell{ReportKind::farewell, {}, {}, {group.own}};
    std::uint32_t worker = group.first_worker;
    for (const WorkerTally& tally : group.machine.tallies()) {
        farewell.ranks.push_back(overhead_of(tally, workers_[worker++].rank()));
    }
    report_from_group(index, std::move(farewell));
}

}  // namespace schedfarm::engine
