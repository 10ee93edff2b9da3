#include "app/cli/launcher.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include "app/cli/explain.hpp"

namespace schedfarm::app {

namespace {

/// Above this, starting ranks on this machine is a slip of the finger.
constexpr std::uint32_t most_workers_per_core = 8;

/// The tasks of the Slurm allocation that this process runs in; there mpirun starts ranks on all of
/// its nodes, which nothing on this machine tells about.
std::optional<std::uint32_t> allocated_tasks() {
    const char* const text = std::getenv("SLURM_NTASKS");  // NOLINT(concurrency-mt-unsafe)
    if (text == nullptr
        || std::getenv("SLURM_JOB_ID") == nullptr) {  // NOLINT(concurrency-mt-unsafe)
        return std::nullopt;
    }
    std::uint32_t tasks = 0;
    const char* const end = text + std::strlen(text);
    const auto read = std::from_chars(text, end, tasks);
    return read.ec == std::errc() && read.ptr == end ? std::optional(tasks) : std::nullopt;
}

/// Whether a program of this name would be found.
bool is_in_path(const std::string& program) {
    const char* const path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe)
    std::string_view rest = path == nullptr ? "" : path;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(':'), rest.size());
        const std::filesystem::path folder = rest.substr(0, end);
        if (::access((folder / program).c_str(), X_OK) == 0) {
            return true;
        }
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return false;
}

/// With fewer descriptors than it needs mpirun waits for ever. It was found to need 40 for 3 ranks
/// and 80 for 13; those of other machines have their own there.
void expect_descriptors(std::uint32_t workers) {
    const std::uint64_t ranks = 1 + std::min(workers, most_workers_per_core * available_cores());
    const rlim_t needed = 40 + 4 * ranks;
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_cur < needed && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        ::setrlimit(RLIMIT_NOFILE, &limit);
    }
    if (limit.rlim_cur < needed) {
        throw UsageError(fmt::format(
            "{} workers: a process may open {} files here, mpirun needs {} (`ulimit -n`). Raise "
            "the limit, or write --workers 0 to compute in this process",
            workers,
            limit.rlim_cur,
            needed
        ));
    }
}

constexpr std::size_t page_size = 4096;

void send_nowhere(int descriptor) {
    const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0) {
        ::dup2(nowhere, descriptor);
        ::close(nowhere);
    }
}

}  // namespace

std::uint32_t available_cores() {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) != 0) {
        return 1;
    }
    return static_cast<std::uint32_t>(CPU_COUNT(&set));
}

std::filesystem::path own_program() {
    std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe");
    if (self.filename() == farm_program) {
        self.replace_filename("schedfarm");
    }
    return self;
}

std::vector<std::string> mpirun_words(
    std::uint32_t ranks, const std::vector<std::string>& arguments, const std::string& variable
) {
    // NOLINTBEGIN(concurrency-mt-unsafe): before any thread
    if (geteuid() == 0) {  // containers and test machines run as root; Open MPI asks for both
        setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 0);
        setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 0);
    }
    // The master sleeps, so one rank more than there are cores is no oversubscription in fact.
    setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 0);
    setenv("OMPI_MCA_hwloc_base_binding_policy", "none", 0);
    // NOLINTEND(concurrency-mt-unsafe)
    std::vector<std::string> words{"mpirun", "-n", std::to_string(ranks)};
    if (!variable.empty()) {
        words.insert(words.end(), {"-x", variable});
    }
    words.insert(words.end(), {"--", own_program().string()});
    words.insert(words.end(), arguments.begin(), arguments.end());
    return words;
}

std::uint32_t workers_wanted(std::optional<std::uint32_t> workers) {
    const auto allocated = allocated_tasks();
    const std::uint32_t wanted = workers.value_or(allocated.value_or(available_cores()));
    if (!allocated && wanted > most_workers_per_core * available_cores()) {
        throw UsageError(fmt::format(
            "{} workers on {} cores would only slow each other down. Leave --workers out for one "
            "per core, or start the program under mpirun or srun",
            wanted,
            available_cores()
        ));
    }
    if (workers && wanted > 0 && !is_in_path("mpirun")) {
        throw UsageError(fmt::format(
            "--workers {}: there is no mpirun in the path to start them (Open MPI has it). Write "
            "--workers 0 to compute in this process",
            wanted
        ));
    }
    if (wanted > 0) {
        expect_descriptors(wanted);
    }
    return wanted;
}

bool put_out(engine::Supervisor& supervisor, int descriptor, std::string_view bytes) {
    sigset_t broken_pipe;
    sigset_t mask_before;
    ::sigemptyset(&broken_pipe);
    ::sigaddset(&broken_pipe, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &broken_pipe, &mask_before);
    bool has_room = true;
    while (!bytes.empty()) {
        has_room = supervisor.wait_for_room(descriptor);
        if (!has_room) {
            send_nowhere(descriptor);
            break;
        }
        // A pipe that has room takes so many bytes at once; more might wait.
        const ssize_t count = ::write(descriptor, bytes.data(), std::min(bytes.size(), page_size));
        if (count < 0 && errno != EINTR && errno != EAGAIN) {
            if (descriptor == STDOUT_FILENO) {
                std::fputc(bytes.front(), stdout);
            }
            break;
        }
        bytes.remove_prefix(count < 0 ? 0 : static_cast<std::size_t>(count));
    }
    const timespec at_once{};
    ::sigtimedwait(&broken_pipe, nullptr, &at_once);
    ::pthread_sigmask(SIG_SETMASK, &mask_before, nullptr);
    return has_room;
}

void make_room_for_messages(engine::Supervisor& supervisor) {
    if (!supervisor.wait_for_room(STDERR_FILENO)) {
        send_nowhere(STDERR_FILENO);
    }
}

std::string no_rank_text(int code) {
    return fmt::format(
        "mpirun has started no rank (it ended with exit code {}). Is it Open MPI's? Write "
        "--workers 0 to compute in this process",
        code
    );
}

}  // namespace schedfarm::app
