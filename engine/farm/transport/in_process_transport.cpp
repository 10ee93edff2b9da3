#include "engine/farm/transport/in_process_transport.hpp"

#include "engine/farm/worker.hpp"

namespace schedfarm::engine {

std::optional<ReceivedReport> InProcessTransport::receive(double /*at_most_seconds*/) {
    if (!said_hello_) {
        said_hello_ = true;
        return ReceivedReport{0, {ReportKind::hello, host_name(), {}}};
    }
    if (tasks_.empty()) {
        return std::nullopt;
    }
    const Task task = std::move(tasks_.front());
    tasks_.pop_front();
    return ReceivedReport{0, {ReportKind::results, {}, {execute_task(task, execute_, 0)}}};
}

void InProcessTransport::send(std::uint32_t /*worker*/, const Order& order) {
    tasks_.insert(tasks_.end(), order.tasks.begin(), order.tasks.end());
}

}  // namespace schedfarm::engine
