#include "engine/farm/transport/mpi_messages.hpp"

#include <limits>
#include <utility>

#include <fmt/format.h>

#include "engine/farm/transport/mpi_call.hpp"

namespace schedfarm::engine {

namespace {

constexpr int looks_per_call = 4;

/// MPI counts bytes in an int.
int checked_count(const Bytes& bytes) {
    if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
        throw MpiError(fmt::format(
            "a message of {} bytes cannot be sent (MPI allows 2 GiB). Make the result smaller",
            bytes.size()
        ));
    }
    return static_cast<int>(bytes.size());
}

}  // namespace

std::optional<MpiMessage> receive_if_there(int source, int tag) {
    int there = 0;
    MPI_Status status{};
    mpi_call("MPI_Iprobe", MPI_Iprobe(source, tag, MPI_COMM_WORLD, &there, &status));
    if (there == 0) {
        return std::nullopt;
    }
    int count = 0;
    mpi_call("MPI_Get_count", MPI_Get_count(&status, MPI_BYTE, &count));
    MpiMessage message{status.MPI_SOURCE, status.MPI_TAG, Bytes(static_cast<std::size_t>(count))};
    mpi_call(
        "MPI_Recv",
        MPI_Recv(
            message.bytes.data(),
            count,
            MPI_BYTE,
            message.source,
            message.tag,
            MPI_COMM_WORLD,
            MPI_STATUS_IGNORE
        )
    );
    return message;
}

MpiOutbox::~MpiOutbox() {
    for (auto& sending : under_way_) {
        static_cast<void>(sending.release());
    }
}

void MpiOutbox::send(Bytes bytes, int rank, int tag) {
    auto sending = std::make_unique<Sending>();
    sending->bytes = std::move(bytes);
    mpi_call(
        "MPI_Isend",
        MPI_Isend(
            sending->bytes.data(),
            checked_count(sending->bytes),
            MPI_BYTE,
            rank,
            tag,
            MPI_COMM_WORLD,
            &sending->request
        )
    );
    if (!has_left(*sending)) {
        under_way_.push_back(std::move(sending));
    }
}  // NOLINT(clang-analyzer-optin.mpi.MPI-Checker): has_left() tests the request

/// The front of the queue is looked at a few times per call; what has not left goes to the back.
void MpiOutbox::release_some() {
    for (int i = 0; i < looks_per_call && !under_way_.empty(); ++i) {
        auto sending = std::move(under_way_.front());
        under_way_.pop_front();
        if (!has_left(*sending)) {
            under_way_.push_back(std::move(sending));
        }
    }
}

bool MpiOutbox::has_left(Sending& sending) {
    int sent = 0;
    mpi_call("MPI_Test", MPI_Test(&sending.request, &sent, MPI_STATUS_IGNORE));
    return sent != 0;
}

}  // namespace schedfarm::engine
