#include "engine/farm/mpi_transport.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "engine/farm/backoff.hpp"
#include "engine/farm/mpi_call.hpp"

namespace schedfarm::engine {

namespace {

constexpr int order_tag = 1;
constexpr int report_tag = 2;
constexpr int master_rank = 0;

// A worker costs its core while it waits anyway, the master's core belongs to a worker.
constexpr BackoffLimits master_waits{};
constexpr BackoffLimits worker_waits{.yields = 100};

/// MPI counts bytes in an int.
int checked_count(const Bytes& bytes) {
    if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
        throw MpiError(fmt::format(
            "a message of {} bytes cannot be sent (MPI allows 2 GiB). Can the result be smaller?",
            bytes.size()
        ));
    }
    return static_cast<int>(bytes.size());
}

struct Received {
    int source = 0;
    Bytes bytes;
};

std::optional<Received> receive_if_there(int source, int tag) {
    int there = 0;
    MPI_Status status{};
    mpi_call("MPI_Iprobe", MPI_Iprobe(source, tag, MPI_COMM_WORLD, &there, &status));
    if (there == 0) {
        return std::nullopt;
    }
    int count = 0;
    mpi_call("MPI_Get_count", MPI_Get_count(&status, MPI_BYTE, &count));
    Received received{.source = status.MPI_SOURCE, .bytes = Bytes(static_cast<std::size_t>(count))};
    mpi_call(
        "MPI_Recv",
        MPI_Recv(
            received.bytes.data(),
            count,
            MPI_BYTE,
            received.source,
            tag,
            MPI_COMM_WORLD,
            MPI_STATUS_IGNORE
        )
    );
    return received;
}

}  // namespace

MpiMasterTransport::MpiMasterTransport() {
    int size = 0;
    mpi_call("MPI_Comm_size", MPI_Comm_size(MPI_COMM_WORLD, &size));
    workers_ = static_cast<std::uint32_t>(size - 1);
}

MpiMasterTransport::~MpiMasterTransport() {
    // Only after an exception is anything left here. MPI may still read these bytes until the
    // process ends, which it is about to do.
    for (auto& order : under_way_) {
        static_cast<void>(order.release());
    }
}

std::optional<ReceivedReport> MpiMasterTransport::receive(double at_most_seconds) {
    const Stopwatch waited;
    Backoff backoff(master_waits);
    release_sent();
    while (true) {
        if (auto received = receive_if_there(MPI_ANY_SOURCE, report_tag)) {
            return ReceivedReport{
                static_cast<std::uint32_t>(received->source - 1), decode_report(received->bytes)};
        }
        if (waited.seconds() >= at_most_seconds) {
            return std::nullopt;
        }
        backoff.wait();
    }
}

void MpiMasterTransport::send(std::uint32_t worker, const Order& order) {
    auto sending = std::make_unique<OrderUnderWay>();
    sending->bytes = encode(order);
    mpi_call(
        "MPI_Isend",
        MPI_Isend(
            sending->bytes.data(),
            checked_count(sending->bytes),
            MPI_BYTE,
            static_cast<int>(rank_of(worker)),
            order_tag,
            MPI_COMM_WORLD,
            &sending->request
        )
    );
    under_way_.push_back(std::move(sending));
}

void MpiMasterTransport::finish() {
    Backoff backoff(master_waits);
    release_sent();
    while (!under_way_.empty()) {
        backoff.wait();
        release_sent();
    }
}

void MpiMasterTransport::release_sent() {
    std::erase_if(under_way_, [](const auto& order) {
        int sent = 0;
        mpi_call("MPI_Test", MPI_Test(&order->request, &sent, MPI_STATUS_IGNORE));
        return sent != 0;
    });
}

MpiWorkerTransport::MpiWorkerTransport() {
    int rank = 0;
    mpi_call("MPI_Comm_rank", MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    rank_ = static_cast<std::uint32_t>(rank);
}

Order MpiWorkerTransport::receive() {
    Backoff backoff(worker_waits);
    while (true) {
        if (const auto received = receive_if_there(master_rank, order_tag)) {
            return decode_order(received->bytes);
        }
        backoff.wait();
    }
}

void MpiWorkerTransport::send(const WorkerReport& report) {
    const Bytes bytes = encode(report);
    mpi_call(
        "MPI_Send",
        MPI_Send(
            bytes.data(), checked_count(bytes), MPI_BYTE, master_rank, report_tag, MPI_COMM_WORLD
        )
    );
}

}  // namespace schedfarm::engine
