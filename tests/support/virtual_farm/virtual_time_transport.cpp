#include "tests/support/virtual_farm/virtual_time_transport.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

VirtualTimeTransport::VirtualTimeTransport(VirtualRanks ranks) : ranks_(std::move(ranks)) {
    SCHEDFARM_EXPECT(ranks_.workers > 0, "a farm without workers");
    SCHEDFARM_EXPECT(ranks_.duration, "virtual tasks without a duration");
    for (std::uint32_t worker = 0; worker < ranks_.workers; ++worker) {
        workers_.emplace_back(worker + 1);
        report_from_worker(
            worker, {.kind = ReportKind::hello, .text = "virtual", .first_rank = worker + 1}, 0
        );
    }
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
        if (event.report) {
            const double start_s = std::max(now_s_, event.at_s);
            waited_seconds_ += start_s - now_s_;
            now_s_ = start_s + cost(event.report->results.size());
            return ReceivedReport{event.worker, *event.report};
        }
        for (TimedReport& timed : workers_[event.worker].work(
                 *event.order, event.at_s, ranks_.duration, ranks_.execute
             )) {
            report_from_worker(event.worker, std::move(timed.report), timed.at_s);
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
        .worker = worker,
        .order = std::make_shared<const Order>(order),
    });
}

double VirtualTimeTransport::cost(std::size_t tasks) const {
    return ranks_.costs.message_seconds + ranks_.costs.task_seconds * static_cast<double>(tasks);
}

void VirtualTimeTransport::post(Event event) {
    event.sequence = sequence_++;
    events_.push(std::move(event));
}

void VirtualTimeTransport::report_from_worker(
    std::uint32_t worker, WorkerReport report, double now_s
) {
    post({
        .at_s = now_s + ranks_.costs.latency_seconds,
        .worker = worker,
        .report = std::make_shared<const WorkerReport>(std::move(report)),
    });
}

}  // namespace schedfarm::engine
