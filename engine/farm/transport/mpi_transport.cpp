#include "engine/farm/transport/mpi_transport.hpp"

#include <algorithm>
#include <numeric>

#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

namespace {

// A worker costs its core while it waits anyway; the master's core belongs to a worker, so it looks
// again at once only a few times, and sleeps long where nobody has come for long.
constexpr BackoffLimits master_waits{.looks = 20, .longest = std::chrono::milliseconds(5)};
constexpr BackoffLimits worker_waits{.yields = 100};

}  // namespace

MpiMasterTransport::MpiMasterTransport(std::uint32_t first_rank, std::uint32_t workers)
    : ranks_(workers), backoff_(master_waits) {
    std::iota(ranks_.begin(), ranks_.end(), first_rank);
}

MpiMasterTransport::MpiMasterTransport(const std::vector<RankGroup>& groups)
    : backoff_(master_waits) {
    for (const RankGroup& group : groups) {
        ranks_.push_back(group.sub_master);
        group_sizes_.push_back(group.workers);
    }
}

std::optional<ReceivedReport> MpiMasterTransport::receive(double at_most_seconds) {
    outbox_.release_some();
    auto message = engine::receive_if_there(MPI_ANY_SOURCE, report_tag);
    if (!message && at_most_seconds > 0) {
        const Stopwatch waited;
        while (!message && waited.seconds() < at_most_seconds) {
            backoff_.wait();
            message = engine::receive_if_there(MPI_ANY_SOURCE, report_tag);
        }
        waited_seconds_ += waited.seconds();
    }
    if (!message) {
        return std::nullopt;
    }
    backoff_ = Backoff(master_waits);
    const auto rank = static_cast<std::uint32_t>(message->source);
    const auto found = std::lower_bound(ranks_.begin(), ranks_.end(), rank);
    SCHEDFARM_EXPECT(found != ranks_.end() && *found == rank, "a report of another master's rank");
    return ReceivedReport{
        static_cast<std::uint32_t>(found - ranks_.begin()), decode_report(message->bytes)};
}

void MpiMasterTransport::send(std::uint32_t worker, const Order& order) {
    outbox_.send(encode(order), static_cast<int>(ranks_[worker]), order_tag);
}

void MpiMasterTransport::finish() {
    Backoff backoff(master_waits);
    while (!outbox_.is_empty()) {
        backoff.wait();
        outbox_.release_some();
    }
}

MpiWorkerTransport::MpiWorkerTransport(std::uint32_t master)
    : master_(static_cast<int>(master)), rank_(mpi_rank()) {}

Order MpiWorkerTransport::receive() {
    Backoff backoff(worker_waits);
    while (true) {
        if (auto order = receive_if_there()) {
            return std::move(*order);
        }
        backoff.wait();
    }
}

std::optional<Order> MpiWorkerTransport::receive_if_there() {
    const auto message = engine::receive_if_there(master_, order_tag);
    return message ? std::optional(decode_order(message->bytes)) : std::nullopt;
}

void MpiWorkerTransport::send(const WorkerReport& report) {
    send_and_wait(encode(report), master_, report_tag);
}

}  // namespace schedfarm::engine
