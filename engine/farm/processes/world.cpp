#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <exception>

#include <sys/prctl.h>
#include <unistd.h>

#include "engine/farm/farm.hpp"
#include "engine/farm/transport/backoff.hpp"
#include "engine/farm/transport/mpi_call.hpp"

namespace schedfarm::engine {

namespace {

constexpr std::size_t broadcast_piece_bytes = std::size_t{64} << 20;  // MPI counts in an int

/// A broadcast that sleeps while it waits: others may need seconds before they get here.
void broadcast_piece(void* data, std::size_t size) {
    MPI_Request request = MPI_REQUEST_NULL;
    mpi_call(
        "MPI_Ibcast",
        MPI_Ibcast(data, static_cast<int>(size), MPI_BYTE, 0, MPI_COMM_WORLD, &request)
    );
    Backoff backoff({.yields = 100});
    for (int done = 0; done == 0;) {
        mpi_call("MPI_Test", MPI_Test(&request, &done, MPI_STATUS_IGNORE));
        if (done == 0) {
            backoff.wait();
        }
    }
}  // NOLINT(clang-analyzer-optin.mpi.MPI-Checker): the loop ends when MPI_Test says done

}  // namespace

bool started_by_mpi() {
    // Open MPI's mpirun; MPICH's and Intel's; srun --mpi=pmix. Slurm's own variables say nothing:
    // they are also set for a plain program in a batch script.
    constexpr std::array names{"OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMIX_RANK"};
    return std::any_of(names.begin(), names.end(), [](const char* name) {
        return std::getenv(name) != nullptr;  // NOLINT(concurrency-mt-unsafe): before any thread
    });
}

World::World() : exceptions_at_start_(std::uncaught_exceptions()) {
    if (!started_by_mpi()) {
        return;
    }
    // A rank whose daemon is killed while it starts may wait for it for ever.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    mpi_call("MPI_Init", MPI_Init(nullptr, nullptr));
    uses_mpi_ = true;
    mpi_call("MPI_Comm_set_errhandler", MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    int rank = 0;
    int size = 1;
    mpi_call("MPI_Comm_rank", MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    mpi_call("MPI_Comm_size", MPI_Comm_size(MPI_COMM_WORLD, &size));
    rank_ = static_cast<std::uint32_t>(rank);
    size_ = static_cast<std::uint32_t>(size);
}

World::~World() {
    if (!uses_mpi_) {
        return;
    }
    if (std::uncaught_exceptions() > exceptions_at_start_) {
        MPI_Abort(MPI_COMM_WORLD, abandoned_exit_code);  // MPI_Finalize would wait for the others
    }
    MPI_Finalize();
}

Bytes World::broadcast(Bytes bytes) const {
    if (!uses_mpi_) {
        return bytes;
    }
    std::uint64_t size = bytes.size();
    broadcast_piece(
        &size, sizeof size
    );  // every rank runs the same program on the same kind of machine
    bytes.resize(size);
    for (std::size_t begin = 0; begin < size; begin += broadcast_piece_bytes) {
        broadcast_piece(bytes.data() + begin, std::min(broadcast_piece_bytes, size - begin));
    }
    return bytes;
}

void World::abort(int exit_code) const {
    if (uses_mpi_) {
        MPI_Abort(MPI_COMM_WORLD, exit_code);
    }
    ::_exit(exit_code);
}

}  // namespace schedfarm::engine
