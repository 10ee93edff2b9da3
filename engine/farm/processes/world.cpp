#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <exception>
#include <fstream>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "engine/farm/farm.hpp"
#include "engine/farm/transport/backoff.hpp"
#include "engine/farm/transport/mpi_call.hpp"

namespace schedfarm::engine {

namespace {

constexpr int missing_exit_code = 2;
constexpr unsigned patience_for_abort_seconds = 5;
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

/// Says while MPI starts that it does not, and ends the process when it has waited long enough:
/// MPI_Init returns when all ranks have come, however long that takes.
class StartWatch {
  public:
    StartWatch(const Launched& launched, const RankWait& wait)
        : thread_([this, ranks = launched.ranks, wait] { run(ranks, wait); }) {}
    StartWatch(const StartWatch&) = delete;
    StartWatch& operator=(const StartWatch&) = delete;
    ~StartWatch() {
        {
            const std::lock_guard lock(mutex_);
            has_started_ = true;
        }
        changed_.notify_one();
        thread_.join();
    }

  private:
    bool starts_within(double seconds) {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, std::chrono::duration<double>(seconds), [this] {
            return has_started_;
        });
    }

    void run(std::uint32_t ranks, const RankWait& wait) {
        const double first_s = std::min(wait.first_word_seconds, wait.seconds);
        const auto say = [&](double seconds, const char* what) {
            if (wait.say) {
                wait.say(fmt::format(
                    "after {:.0f} s MPI has not started: of {} not all have come; {}",
                    seconds,
                    ranks > 0 ? fmt::format("the {} ranks that the launcher promised", ranks)
                              : std::string("the launcher's ranks"),
                    what
                ));
            }
        };
        if (starts_within(first_s)) {
            return;
        }
        say(first_s, "still waiting");
        if (!starts_within(wait.seconds - first_s)) {
            say(wait.seconds, "nothing was computed");
            ::_exit(missing_exit_code);
        }
    }

    bool has_started_ = false;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::thread thread_;  // the last: it uses the others
};

/// mpirun waits for a rank that is stopped and for a machine that is cut off, the latter for ever:
/// it is told to end, and ended where it does not.
void end_own_launcher() {
    constexpr std::array<std::string_view, 3> launchers{"mpirun", "mpiexec", "orterun"};
    const pid_t launcher = ::getppid();
    std::string name;
    std::ifstream(fmt::format("/proc/{}/comm", launcher)) >> name;
    if (std::find(launchers.begin(), launchers.end(), name) == launchers.end()) {
        return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(500));  // it passes our words on
    // Not by its number, which may be another's by then.
    const int watched = static_cast<int>(::syscall(SYS_pidfd_open, launcher, 0));
    if (watched >= 0 && ::fork() == 0) {  // the launcher ends this process, too
        ::setsid();
        pollfd ended{watched, POLLIN, 0};
        if (::poll(&ended, 1, static_cast<int>(1000 * patience_for_abort_seconds)) == 0) {
            ::syscall(SYS_pidfd_send_signal, watched, SIGKILL, nullptr, 0);
        }
        ::_exit(0);
    }
    ::kill(launcher, SIGTERM);
}

}  // namespace

World::World(const Launched& launched, const RankWait& wait)
    : exceptions_at_start_(std::uncaught_exceptions()) {
    if (!launched.is_rank || launched.ranks == 1) {
        return;
    }
    std::optional<StartWatch> watch;
    if (launched.rank == 0) {
        watch.emplace(launched, wait);
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

void World::leave(int exit_code) {
    std::fflush(nullptr);
    end_own_launcher();
    ::_exit(exit_code);
}

void World::abort(int exit_code) const {
    if (uses_mpi_) {
        ::alarm(patience_for_abort_seconds);  // the daemon of a machine that was cut off may hang
        MPI_Abort(MPI_COMM_WORLD, exit_code);
    }
    ::_exit(exit_code);
}

}  // namespace schedfarm::engine
