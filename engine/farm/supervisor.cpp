#include "engine/farm/supervisor.hpp"

#include <array>
#include <cerrno>
#include <fstream>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

namespace schedfarm::engine {

namespace {

constexpr int repeat_ms = 1000;
constexpr int cannot_start = 127;

[[noreturn]] void fail(const char* call) {
    throw std::system_error(errno, std::generic_category(), call);
}

sigset_t own_signals() {
    sigset_t set{};
    sigemptyset(&set);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGCHLD}) {
        sigaddset(&set, signal);
    }
    return set;
}

/// Kills and awaits all children, and those that come to us when their parents end.
void end_children() {
    const std::string list = fmt::format("/proc/self/task/{}/children", ::getpid());
    while (true) {
        std::ifstream children(list);
        for (pid_t child = 0; children >> child;) {
            ::kill(child, SIGKILL);
        }
        if (::waitpid(-1, nullptr, 0) < 0 && errno == ECHILD) {
            return;
        }
    }
}

}  // namespace

Supervisor::Supervisor(SupervisorHooks hooks) : hooks_(std::move(hooks)) {
    const sigset_t own = own_signals();
    if (::sigprocmask(SIG_BLOCK, &own, &mask_before_) != 0) {
        fail("sigprocmask");
    }
    signals_ = Descriptor(::signalfd(-1, &own, SFD_CLOEXEC | SFD_NONBLOCK));
    if (signals_.number() < 0) {
        fail("signalfd");
    }
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
}

Supervisor::~Supervisor() {
    ::prctl(PR_SET_CHILD_SUBREAPER, 0);
    take_signals();  // what has come meanwhile would end the process when it is let through
    ::sigprocmask(SIG_SETMASK, &mask_before_, nullptr);
}

void Supervisor::become(const std::vector<std::string>& words, int error_output) const {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // without us nobody would end it
    ::signal(SIGUSR1, SIG_IGN);          // until the launcher is ready for it
    ::sigprocmask(SIG_SETMASK, &mask_before_, nullptr);
    const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(error_output, STDERR_FILENO);
    std::vector<std::string> texts = words;
    std::vector<char*> pointers;
    for (std::string& text : texts) {
        pointers.push_back(text.data());
    }
    pointers.push_back(nullptr);
    ::execvp(pointers.front(), pointers.data());
    ::_exit(cannot_start);
}

std::optional<int> Supervisor::run(const std::vector<std::string>& words) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        fail("pipe2");
    }
    const Descriptor output(ends[0]);
    Descriptor writing(ends[1]);
    ::fcntl(output.number(), F_SETFL, O_NONBLOCK);
    launcher_ = ::fork();
    if (launcher_ < 0) {
        fail("fork");
    }
    if (launcher_ == 0) {
        become(words, writing.number());
    }
    writing.close();
    std::array<pollfd, 2> watched{
        pollfd{.fd = signals_.number(), .events = POLLIN, .revents = 0},
        pollfd{.fd = output.number(), .events = POLLIN, .revents = 0}};
    std::optional<int> status;
    while (!status) {
        ::poll(watched.data(), watched.size(), repeat_ms);
        if (read_error_output(output.number()) == Stream::ended) {
            watched[1].fd = -1;  // or poll would return at once from here on
        }
        take_signals();
        pass_on_stop();
        status = ended();
    }
    end_children();
    read_error_output(output.number());
    launcher_ = -1;
    if (WIFSIGNALED(*status)) {
        return 128 + WTERMSIG(*status);
    }
    return WEXITSTATUS(*status) == cannot_start ? std::nullopt
                                                : std::optional(WEXITSTATUS(*status));
}

void Supervisor::take_signals() {
    signalfd_siginfo info{};
    while (::read(signals_.number(), &info, sizeof info) == sizeof info) {
        if (info.ssi_signo != SIGCHLD) {
            take_stop_signal(static_cast<int>(info.ssi_signo));
        }
    }
}

void Supervisor::take_stop_signal(int signal) {
    const bool is_urgent = signal == SIGINT || signal == SIGTERM;
    if (request_ == StopRequest::none) {
        request_ = StopRequest::drain;
    } else if (request_ == StopRequest::drain && is_urgent) {
        request_ = StopRequest::at_once;
    } else {
        return;
    }
    if (hooks_.on_stop) {
        hooks_.on_stop(request_);
    }
}

void Supervisor::pass_on_stop() {
    const bool is_due = request_ != passed_on_ || 1000 * since_passed_on_.seconds() >= repeat_ms;
    if (request_ != StopRequest::none && is_due) {
        ::kill(launcher_, request_ == StopRequest::drain ? SIGUSR1 : SIGTERM);
        passed_on_ = request_;
        since_passed_on_ = Stopwatch();
    }
}

Supervisor::Stream Supervisor::read_error_output(int descriptor) const {
    std::array<char, 4096> buffer{};
    while (true) {
        const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
        if (count <= 0) {
            return count == 0 ? Stream::ended : Stream::open;
        }
        if (hooks_.on_error_output) {
            hooks_.on_error_output({buffer.data(), static_cast<std::size_t>(count)});
        }
    }
}

std::optional<int> Supervisor::ended() const {
    int status = 0;
    return ::waitpid(launcher_, &status, WNOHANG) == launcher_ ? std::optional(status)
                                                               : std::nullopt;
}

}  // namespace schedfarm::engine
