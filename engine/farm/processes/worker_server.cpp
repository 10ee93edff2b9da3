#include "engine/farm/processes/worker_server.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <new>
#include <span>
#include <stdexcept>
#include <system_error>

#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/farm/journal/journal_format.hpp"
#include "engine/farm/processes/children.hpp"
#include "engine/farm/task_codec.hpp"
#include "engine/farm/transport/socket_transport.hpp"
#include "engine/farm/worker.hpp"
#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

/// What the server tells of a worker that it has forked, beside the owner's end of its socket.
struct WorkerServer::Notice {
    std::uint32_t worker = 0;
    int last_status = 0;  ///< of the one before it, from waitpid
    Descriptor socket;
};

namespace {

constexpr double bytes_per_mib = 1024.0 * 1024.0;
constexpr double shortest_alarm_s = 1e-6;  // of a timer, for which 0 means never
constexpr double longest_alarm_s = 1e9;
constexpr int fork_attempts = 100;
constexpr int fork_pause_ms = 100;

struct NoticeBytes {
    std::uint32_t worker;
    int last_status;
    int error;
};

[[noreturn]] void throw_system_error(const char* call) {
    throw std::system_error(errno, std::generic_category(), call);
}

double steady_seconds() {
    using std::chrono::steady_clock;
    return std::chrono::duration<double>(steady_clock::now().time_since_epoch()).count();
}

/// This process is sent a signal when its parent ends, and ends if that has happened already.
void hear_of_parent(pid_t parent, int signal) {
    ::prctl(PR_SET_PDEATHSIG, signal);
    if (::getppid() != parent) {
        ::_exit(0);
    }
}

/// A crash ends the worker, whatever handlers the program has: its memory cannot be trusted.
void die_of_crashes() {
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM}) {
        ::signal(signal, SIG_DFL);
    }
}

void ignore_stop_signals() {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGPIPE}) {
        ::signal(signal, SIG_IGN);
    }
}

sigset_t only_child_signal() {
    sigset_t set{};
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    return set;
}

/// Address space in use; 0 where the system does not say.
std::uint64_t own_address_space() {
    std::uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

/// Holds what a worker executes to its limits, and writes on its desk what that is and what came of
/// it.
class Guard final : public ExecutionWatch {
  public:
    Guard(Desk& desk, const TaskLimits& limits) : desk_(desk), limits_(limits) {
        ::getrlimit(RLIMIT_AS, &memory_);
    }

    void begin(std::span<const Task> tasks) override {
        limit_memory();
        desk_.began_s = steady_seconds();
        desk_.first = tasks.front().id.value;
        desk_.count = static_cast<std::uint32_t>(tasks.size());
        set_alarm(limits_.seconds.value_or(0) * static_cast<double>(tasks.size()));
    }

    void end(std::span<const TaskResult> results) override {
        set_alarm(0);
        if (limits_.memory_bytes) {
            ::setrlimit(RLIMIT_AS, &memory_);
        }
        Bytes records;
        for (const TaskResult& result : results) {
            ByteWriter body;
            write(body, result);
            const Bytes record = encode_record(JournalRecordKind::result, body.view());
            records.insert(records.end(), record.begin(), record.end());
        }
        const std::size_t before = desk_.done_bytes;
        has_room_ = before + records.size() <= desk_.done.size() / 2;
        if (before + records.size() <= desk_.done.size()) {
            std::copy(records.begin(), records.end(), desk_.done.begin() + before);
            desk_.done_bytes = before + records.size();
        }
        desk_.count = 0;
    }

    bool is_full() const override { return !has_room_; }

    void sent() override {
        desk_.done_bytes = 0;
        has_room_ = true;
    }

  private:
    void limit_memory() const {
        if (limits_.memory_bytes) {
            rlimit limit = memory_;
            limit.rlim_cur =
                std::min<rlim_t>(own_address_space() + *limits_.memory_bytes, memory_.rlim_cur);
            ::setrlimit(RLIMIT_AS, &limit);
        }
    }

    /// Who still executes then is killed by SIGALRM. 0: no alarm.
    void set_alarm(double seconds) const {
        if (limits_.seconds) {
            seconds = seconds > 0 ? std::clamp(seconds, shortest_alarm_s, longest_alarm_s) : 0;
            itimerval timer{};
            timer.it_value.tv_sec = static_cast<time_t>(seconds);
            timer.it_value.tv_usec = static_cast<suseconds_t>(
                1e6 * (seconds - static_cast<double>(timer.it_value.tv_sec))
            );
            ::setitimer(ITIMER_REAL, &timer, nullptr);
        }
    }

    Desk& desk_;
    const TaskLimits& limits_;
    rlimit memory_{};
    bool has_room_ = true;
};

/// The same function, whose failures for want of memory name the limit.
TaskExecutor naming_limit(const TaskExecutor& execute, const TaskLimits& limits) {
    if (!limits.memory_bytes) {
        return execute;
    }
    const std::string text = fmt::format(
        "out of memory (its limit is {:.0f} MiB)",
        static_cast<double>(*limits.memory_bytes) / bytes_per_mib
    );
    return {
        [&execute, text](const Bytes& payload) {
            try {
                return execute.one()(payload);
            } catch (const std::bad_alloc&) {
                throw TaskFailure(TaskStatus::failed, text);
            }
        },
        [&execute](std::span<const Task> tasks) {
            return execute.several(tasks);
        }};
}

[[noreturn]] void run_worker_process(
    int socket,
    pid_t server,
    std::uint32_t worker,
    const TaskExecutor& execute,
    const TaskLimits& limits,
    Desk& desk
) noexcept {
    hear_of_parent(server, SIGKILL);
    die_of_crashes();
    const sigset_t child_signal = only_child_signal();
    ::pthread_sigmask(SIG_UNBLOCK, &child_signal, nullptr);
    Guard guard(desk, limits);
    SocketWorkerTransport transport(socket, worker);
    const TaskExecutor named = naming_limit(execute, limits);
    serve(transport, named, &guard);
    ::_exit(0);
}

bool send_notice(int control, const NoticeBytes& bytes, int descriptor) {
    iovec data{const_cast<NoticeBytes*>(&bytes), sizeof bytes};  // NOLINT: sendmsg only reads it
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> space{};
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    if (descriptor >= 0) {
        message.msg_control = space.data();
        message.msg_controllen = space.size();
        cmsghdr* const header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    }
    return ::sendmsg(control, &message, MSG_NOSIGNAL) >= 0;
}

/// The server process.
class Server {
  public:
    Server(
        pid_t owner,
        int control,
        std::uint32_t workers,
        const TaskExecutor& execute,
        const TaskLimits& limits,
        Desk* desks
    )
        : owner_(owner)
        , control_(control)
        , processes_(workers)
        , execute_(execute)
        , limits_(limits)
        , desks_(desks) {
        const sigset_t child_signal = only_child_signal();
        ::pthread_sigmask(SIG_BLOCK, &child_signal, nullptr);
        deaths_ = ::signalfd(-1, &child_signal, SFD_CLOEXEC | SFD_NONBLOCK);
    }

    /// An exception must not get to whoever forked the server.
    [[noreturn]] void run() noexcept {
        for (std::uint32_t worker = 0; worker < processes_.size(); ++worker) {
            fork_worker(worker, 0);
        }
        std::array<pollfd, 2> watched{
            pollfd{.fd = control_, .events = POLLIN, .revents = 0},
            pollfd{.fd = deaths_, .events = POLLIN, .revents = 0}};
        while (true) {
            ::poll(watched.data(), watched.size(), -1);
            if (watched[0].revents != 0 || ::getppid() != owner_) {
                end();  // the owner says nothing but that it needs nobody any more
            }
            signalfd_siginfo info{};
            while (::read(deaths_, &info, sizeof info) > 0) {
            }
            replace_dead();
            end_orphans();
        }
    }

  private:
    /// A worker that is killed leaves behind what its task has started.
    void end_orphans() const {
        for (const pid_t child : children_of(::getpid())) {
            const pid_t group = ::getpgid(child);
            const bool is_worker =
                std::find(processes_.begin(), processes_.end(), child) != processes_.end();
            const bool has_leader = ::kill(group, 0) == 0 || errno != ESRCH;
            if (!is_worker && group != child && !has_leader) {
                ::kill(child, SIGKILL);
            }
        }
    }

    void replace_dead() {
        int status = 0;
        for (pid_t dead = ::waitpid(-1, &status, WNOHANG); dead > 0;
             dead = ::waitpid(-1, &status, WNOHANG)) {
            const auto found = std::find(processes_.begin(), processes_.end(), dead);
            if (found != processes_.end()) {
                fork_worker(static_cast<std::uint32_t>(found - processes_.begin()), status);
            }
        }
    }

    void fork_worker(std::uint32_t worker, int last_status) {
        std::array<int, 2> ends{};
        NoticeBytes notice{worker, last_status, 0};
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
            notice.error = errno;
            say(notice, -1);
            return;
        }
        const Descriptor owners(ends[0]);
        const Descriptor workers(ends[1]);
        const pid_t server = ::getpid();
        pid_t process = ::fork();
        for (int i = 1; process < 0 && i < fork_attempts; ++i) {
            pollfd owner{.fd = control_, .events = POLLIN, .revents = 0};
            if (::poll(&owner, 1, fork_pause_ms) > 0) {
                end();
            }
            process = ::fork();
        }
        if (process == 0) {
            ::close(control_);
            ::close(deaths_);
            ::close(owners.number());
            run_worker_process(workers.number(), server, worker, execute_, limits_, desks_[worker]);
        }
        notice.error = process < 0 ? errno : 0;
        processes_[worker] = process;
        say(notice, process < 0 ? -1 : owners.number());
    }

    /// The owner waits for it: without, nobody may go on.
    void say(const NoticeBytes& notice, int descriptor) const {
        if (!send_notice(control_, notice, descriptor)) {
            end();
        }
    }

    [[noreturn]] void end() const {
        for (const pid_t process : processes_) {
            if (process > 0) {
                ::kill(process, SIGKILL);
            }
        }
        end_children();
        ::_exit(0);
    }

    pid_t owner_;
    int control_;
    int deaths_ = -1;
    std::vector<pid_t> processes_;
    const TaskExecutor& execute_;
    const TaskLimits& limits_;
    Desk* desks_;
};

WorkerEnd end_of(int status, const TaskLimits& limits) {
    if (!WIFSIGNALED(status)) {
        return {
            TaskStatus::crashed,
            fmt::format("it ended its process with exit code {}", WEXITSTATUS(status))};
    }
    const int signal = WTERMSIG(status);
    if (signal == SIGALRM && limits.seconds) {
        return {TaskStatus::timeout, fmt::format("still running after {} s", *limits.seconds)};
    }
    std::string text = "killed by " + signal_text(signal);
    if (signal == SIGKILL) {
        text += ", perhaps because the machine was out of memory";
    }
    return {TaskStatus::crashed, text};
}

}  // namespace

std::string signal_text(int signal) {
    const char* name = ::sigdescr_np(signal);
    return name == nullptr ? fmt::format("signal {}", signal)
                           : fmt::format("signal {} ({})", signal, name);
}

WorkerServer::WorkerServer(
    std::uint32_t workers, const TaskExecutor& execute, const TaskLimits& limits
)
    : limits_(limits), early_(workers) {
    SCHEDFARM_EXPECT(workers > 0, "a server without workers");
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        throw_system_error("socketpair");
    }
    control_ = Descriptor(ends[0]);
    Descriptor servers_end(ends[1]);
    void* const shared = ::mmap(
        nullptr, workers * sizeof(Desk), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0
    );
    if (shared == MAP_FAILED) {
        throw_system_error("mmap");
    }
    desks_ = static_cast<Desk*>(shared);
    for (std::uint32_t worker = 0; worker < workers; ++worker) {
        new (desks_ + worker) Desk;  // whose results nobody has touched
    }
    const pid_t owner = ::getpid();
    server_ = ::fork();
    if (server_ < 0) {
        throw_system_error("fork");
    }
    if (server_ == 0) {
        control_.close();
        hear_of_parent(owner, SIGCHLD);  // as of a child: it looks who has ended
        ::prctl(PR_SET_CHILD_SUBREAPER, 1);
        ignore_stop_signals();
        Server(owner, servers_end.number(), workers, execute, limits, desks_).run();
    }
    servers_end.close();
    for (std::uint32_t worker = 0; worker < workers; ++worker) {
        sockets_.push_back(receive_notice().socket);
    }
}

WorkerServer::~WorkerServer() {
    control_.close();
    while (server_ > 0 && ::waitpid(server_, nullptr, 0) < 0 && errno == EINTR) {
    }
    ::munmap(desks_, early_.size() * sizeof(Desk));
}

WorkerServer::Notice WorkerServer::receive_notice() {
    NoticeBytes bytes{};
    iovec data{&bytes, sizeof bytes};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> space{};
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = space.data();
    message.msg_controllen = space.size();
    ssize_t size = -1;
    do {
        size = ::recvmsg(control_.number(), &message, MSG_CMSG_CLOEXEC);
    } while (size < 0 && errno == EINTR);
    if (size != sizeof bytes) {
        throw std::runtime_error(
            "the process that keeps the workers is gone (it was killed, or out of memory). What is "
            "done is in the journal"
        );
    }
    const cmsghdr* const header = CMSG_FIRSTHDR(&message);
    if (header == nullptr) {  // none could be forked, or this process may open no more files
        const int error = bytes.error != 0 ? bytes.error : EMFILE;
        throw std::runtime_error(fmt::format(
            "no worker can be started ({}). Raise the limit on processes or open files (`ulimit "
            "-u`, `ulimit -n`).",
            std::error_code(error, std::generic_category()).message()
        ));
    }
    int descriptor = -1;
    std::memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
    return {bytes.worker, bytes.last_status, Descriptor(descriptor)};
}

std::vector<TaskResult> WorkerServer::take_done(std::uint32_t worker) {
    Desk& desk = desks_[worker];
    const std::size_t size = std::min(desk.done_bytes.exchange(0), desk.done.size());
    std::vector<TaskResult> results;
    try {
        for (std::size_t at = 0; at < size;) {
            const auto record = next_record(std::span(desk.done).subspan(at, size - at));
            if (!record) {
                break;
            }
            ByteReader reader(record->body);
            results.push_back(read_task_result(reader));
            at += record_overhead + record->body.size();
        }
    } catch (const SerializationError&) {
        return results;
    }
    return results;
}

NewWorker WorkerServer::replacement_of(std::uint32_t worker) {
    while (early_[worker].empty()) {
        Notice notice = receive_notice();
        early_[notice.worker].push_back(
            {std::move(notice.socket), end_of(notice.last_status, limits_)}
        );
    }
    NewWorker found = std::move(early_[worker].front());
    early_[worker].pop_front();
    return found;
}

}  // namespace schedfarm::engine
