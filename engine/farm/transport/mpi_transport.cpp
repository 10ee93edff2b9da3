#include "engine/farm/transport/mpi_transport.hpp"

#include "engine/farm/transport/mpi_messages.hpp"

namespace schedfarm::engine {

namespace {

// The master's core belongs to a worker, so it looks again at once only a few times, and sleeps
// long where nobody has come for long.
constexpr BackoffLimits master_waits{.looks = 20, .longest = std::chrono::milliseconds(5)};

}  // namespace

MpiMasterTransport::MpiMasterTransport(std::uint32_t workers)
    : workers_(workers), backoff_(master_waits) {}

std::optional<ReceivedReport> MpiMasterTransport::receive(double at_most_seconds) {
    outbox_.release_some();
    auto message = receive_if_there(MPI_ANY_SOURCE, report_tag);
    if (!message && at_most_seconds > 0) {
        const Stopwatch waited;
        while (!message && waited.seconds() < at_most_seconds) {
            backoff_.wait();
            message = receive_if_there(MPI_ANY_SOURCE, report_tag);
        }
        waited_seconds_ += waited.seconds();
    }
    if (!message) {
        return std::nullopt;
    }
    backoff_ = Backoff(master_waits);
    return ReceivedReport{
        static_cast<std::uint32_t>(message->source) - 1, decode_report(message->bytes)};
}

void MpiMasterTransport::send(std::uint32_t worker, const Order& order) {
    outbox_.send(encode(order), static_cast<int>(worker) + 1, order_tag);
}

void MpiMasterTransport::finish() {
    Backoff backoff(master_waits);
    while (!outbox_.is_empty()) {
        backoff.wait();
        outbox_.release_some();
    }
}

std::optional<Order> MpiWorkerTransport::receive() {
    outbox_.release_some();
    const auto message = receive_if_there(0, order_tag);
    return message ? std::optional(decode_order(message->bytes)) : std::nullopt;
}

void MpiWorkerTransport::send(const WorkerReport& report) {
    outbox_.send(encode(report), 0, report_tag);
}

}  // namespace schedfarm::engine
