#include "engine/farm/transport/in_process_transport.hpp"

#include <utility>

#include "engine/farm/worker.hpp"

namespace schedfarm::engine {

std::optional<ReceivedReport> InProcessTransport::receive(double /*at_most_seconds*/) {
    if (!said_hello_) {
        said_hello_ = true;
        return ReceivedReport{0, {.kind = ReportKind::hello, .text = host_name()}};
    }
    if (tasks_.empty()) {
        return std::nullopt;
    }
    std::vector<TaskResult> results = execute_first(tasks_, execute_, 0);
    tasks_.erase(tasks_.begin(), tasks_.begin() + static_cast<std::ptrdiff_t>(results.size()));
    return ReceivedReport{0, {.kind = ReportKind::results, .results = std::move(results)}};
}

void InProcessTransport::send(std::uint32_t /*worker*/, const Order& order) {
    tasks_.insert(tasks_.end(), order.tasks.begin(), order.tasks.end());
}

}  // namespace schedfarm::engine
