#include "engine/farm/processes/isolation_server.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <fstream>
#include <new>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/farm/stopwatch.hpp"
#include "engine/farm/transport/serialization.hpp"

namespace schedfarm::engine {

namespace {

constexpr double bytes_per_mib = 1024.0 * 1024.0;

/// This process is killed when its parent ends; at once if that has happened already.
void end_with_parent(pid_t parent) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) {
        ::_exit(0);
    }
}

/// A crash ends the child, whatever handlers the program has: its memory cannot be trusted.
void die_of_crashes() {
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
        ::signal(signal, SIG_DFL);
    }
}

void ignore_stop_signals() {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGPIPE}) {
        ::signal(signal, SIG_IGN);
    }
}

/// Address space in use; 0 where the system does not say.
std::uint64_t own_address_space() {
    std::uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

void limit_memory(std::uint64_t bytes) {
    rlimit limit{};
    ::getrlimit(RLIMIT_AS, &limit);
    limit.rlim_cur = std::min<rlim_t>(own_address_space() + bytes, limit.rlim_max);
    ::setrlimit(RLIMIT_AS, &limit);
}

std::string out_of_memory_text(const TaskLimits& limits) {
    if (!limits.memory_bytes) {
        return "out of memory";
    }
    return fmt::format(
        "out of memory (its limit is {:.0f} MiB)",
        static_cast<double>(*limits.memory_bytes) / bytes_per_mib
    );
}

IsolatedOutcome outcome_of(
    const TaskFunction& function, const Bytes& payload, const TaskLimits& limits
) {
    try {
        return {TaskStatus::done, function(payload), {}};
    } catch (const std::bad_alloc&) {
        return {TaskStatus::failed, {}, out_of_memory_text(limits)};
    } catch (const std::exception& error) {
        return {TaskStatus::failed, {}, error.what()};
    } catch (...) {
        return {TaskStatus::failed, {}, "an exception of unknown type"};
    }
}

[[noreturn]] void run_child(
    int pipe,
    pid_t server,
    const TaskFunction& function,
    const Bytes& payload,
    const TaskLimits& limits
) {
    end_with_parent(server);
    die_of_crashes();
    if (limits.memory_bytes) {
        limit_memory(*limits.memory_bytes);
    }
    const bool is_sent = send_message(pipe, encode(outcome_of(function, payload, limits)));
    ::_exit(is_sent ? 0 : 1);
}

/// True when the child has something to say or has ended, false when its time is over.
bool wait_for_child(int pipe, const std::optional<double>& seconds) {
    const Stopwatch waited;
    while (true) {
        int left_ms = -1;
        if (seconds) {
            const double left_s = std::max(0.0, *seconds - waited.seconds());
            left_ms = static_cast<int>(std::min(std::ceil(1000 * left_s), 1e9));
        }
        pollfd watched{.fd = pipe, .events = POLLIN, .revents = 0};
        const int ready = ::poll(&watched, 1, left_ms);
        if (ready > 0) {
            return true;
        }
        if (ready == 0 && seconds && waited.seconds() >= *seconds) {
            return false;
        }
    }
}

int wait_for_end(pid_t child) {
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

std::string crash_text(int status) {
    if (!WIFSIGNALED(status)) {
        return fmt::format("it ended its process with exit code {}", WEXITSTATUS(status));
    }
    std::string text = "killed by " + signal_text(WTERMSIG(status));
    if (WTERMSIG(status) == SIGKILL) {
        text += ", perhaps because the machine was out of memory";
    }
    return text;
}

IsolatedOutcome run_isolated(
    const TaskFunction& function, const Bytes& payload, const TaskLimits& limits
) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        return {TaskStatus::failed, {}, fmt::format("pipe: {}", std::strerror(errno))};
    }
    const Descriptor reading(ends[0]);
    Descriptor writing(ends[1]);
    const pid_t server = ::getpid();
    const pid_t child = ::fork();
    if (child < 0) {
        const std::error_code error(errno, std::generic_category());
        return {TaskStatus::failed, {}, "no process can be forked: " + error.message()};
    }
    if (child == 0) {
        run_child(writing.number(), server, function, payload, limits);
    }
    writing.close();
    if (!wait_for_child(reading.number(), limits.seconds)) {
        ::kill(child, SIGKILL);
        wait_for_end(child);
        return {TaskStatus::timeout, {}, fmt::format("still running after {} s", *limits.seconds)};
    }
    const auto message = receive_message(reading.number());
    const int status = wait_for_end(child);
    if (!message) {
        return {TaskStatus::crashed, {}, crash_text(status)};
    }
    return decode_isolated_outcome(*message);
}

}  // namespace

Bytes encode(const IsolatedOutcome& outcome) {
    ByteWriter writer;
    writer.u8(static_cast<std::uint8_t>(outcome.status));
    writer.bytes(outcome.payload);
    writer.text(outcome.message);
    return writer.take();
}

IsolatedOutcome decode_isolated_outcome(const Bytes& bytes) {
    ByteReader reader(bytes);
    IsolatedOutcome outcome;
    const std::uint8_t status = reader.u8();
    if (status > static_cast<std::uint8_t>(TaskStatus::crashed)) {
        throw SerializationError(fmt::format("{} is no task status", status));
    }
    outcome.status = static_cast<TaskStatus>(status);
    outcome.payload = reader.bytes();
    outcome.message = reader.text();
    reader.expect_end();
    return outcome;
}

std::string signal_text(int signal) {
    const char* name = ::sigdescr_np(signal);
    return name == nullptr ? fmt::format("signal {}", signal)
                           : fmt::format("signal {} ({})", signal, name);
}

void serve_isolated(
    int socket, pid_t owner, const TaskFunction& function, const TaskLimits& limits
) {
    end_with_parent(owner);
    ignore_stop_signals();
    while (const auto payload = receive_message(socket)) {
        if (!send_message(socket, encode(run_isolated(function, *payload, limits)))) {
            break;
        }
    }
    ::_exit(0);
}

}  // namespace schedfarm::engine
