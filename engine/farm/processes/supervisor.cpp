#include "engine/farm/processes/supervisor.hpp"

#include <algorithm>
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

#include "engine/farm/processes/children.hpp"

namespace schedfarm::engine {

namespace {

constexpr int repeat_ms = 1000;
constexpr int cannot_start = 127;
constexpr double starting_takes = 6;  // times the patience: many nodes have to be reached

[[noreturn]] void fail(const char* call) {
    throw std::system_error(errno, std::generic_category(), call);
}

sigset_t own_signals() {
    sigset_t set{};
    sigemptyset(&set);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGCHLD}) {
        sigaddset(&set, signal);
    }
    struct sigaction hangup {};
    ::sigaction(SIGHUP, nullptr, &hangup);
    if (hangup.sa_handler == SIG_IGN) {  // nohup: a signal that is blocked is not ignored
        sigdelset(&set, SIGHUP);
    }
    return set;
}

/// False when it has ended, whether or not its parent knows.
bool is_alive(pid_t process) {
    std::ifstream file(fmt::format("/proc/{}/stat", process));
    std::string text;
    std::getline(file, text);
    const std::size_t state = text.rfind(')') + 2;  // after the name, which may hold anything
    return text.size() > state && text[state] != 'Z' && text[state] != 'X';
}

}  // namespace

Supervisor::Supervisor(SupervisorHooks hooks, double patience_seconds)
    : hooks_(std::move(hooks)), patience_seconds_(patience_seconds) {
    const sigset_t own = own_signals();
    ::pthread_sigmask(SIG_BLOCK, &own, &mask_before_);
    signals_ = Descriptor(::signalfd(-1, &own, SFD_CLOEXEC | SFD_NONBLOCK));
    if (signals_.number() < 0) {
        fail("signalfd");
    }
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
}

Supervisor::~Supervisor() {
    ::prctl(PR_SET_CHILD_SUBREAPER, 0);
    take_signals();  // what has come meanwhile would end the process when it is let through
    ::pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
}

void Supervisor::become(const std::vector<std::string>& words) const {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // without us nobody would end it
    ::signal(SIGUSR1, SIG_IGN);          // until the launcher is ready for it
    ::pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
    const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    ::dup2(nothing, STDIN_FILENO);
    std::vector<std::string> texts = words;
    std::vector<char*> pointers;
    pointers.reserve(texts.size() + 1);
    for (std::string& text : texts) {
        pointers.push_back(text.data());
    }
    pointers.push_back(nullptr);
    ::execvp(pointers.front(), pointers.data());
    ::_exit(cannot_start);
}

std::optional<int> Supervisor::run(const std::vector<std::string>& words) {
    launcher_ = ::fork();
    if (launcher_ < 0) {
        fail("fork");
    }
    if (launcher_ == 0) {
        become(words);
    }
    const int status = watch();
    launcher_ = -1;
    end_children();
    if (WIFSIGNALED(status)) {
        return 128 + WTERMSIG(status);
    }
    return WEXITSTATUS(status) == cannot_start ? std::nullopt : std::optional(WEXITSTATUS(status));
}

int Supervisor::watch() {
    pollfd watched{.fd = signals_.number(), .events = POLLIN, .revents = 0};
    has_had_children_ = false;
    hanging_.reset();
    const Stopwatch since_start;
    Stopwatch since_told;
    std::optional<int> status;
    while (!status) {
        ::poll(&watched, 1, repeat_ms);
        take_signals();
        pass_on_stop();
        end_hanging();
        if (hooks_.on_wait && 1000 * since_told.seconds() >= repeat_ms) {
            since_told = Stopwatch();
            hooks_.on_wait(since_start.seconds());
        }
        status = ended();
    }
    return *status;
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
    if (launcher_ > 0 && request_ != StopRequest::none && is_due) {
        ::kill(launcher_, request_ == StopRequest::drain ? SIGUSR1 : SIGTERM);
        passed_on_ = request_;
        since_passed_on_ = Stopwatch();
    }
}

void Supervisor::end_hanging() {
    const std::vector<pid_t> children = children_of(launcher_);
    const bool has_children = std::any_of(children.begin(), children.end(), is_alive);
    has_had_children_ = has_had_children_ || has_children;
    const double patience_seconds =
        has_had_children_ ? patience_seconds_ : starting_takes * patience_seconds_;
    const bool is_over = hooks_.is_over && hooks_.is_over();
    if (has_children && !is_over && request_ != StopRequest::at_once) {
        hanging_.reset();
    } else if (!hanging_) {
        hanging_ = Stopwatch();
    } else if (hanging_->seconds() >= patience_seconds) {
        ::kill(launcher_, SIGKILL);
    }
}

std::optional<int> Supervisor::ended() const {
    int status = 0;
    for (pid_t child = ::waitpid(-1, &status, WNOHANG); child > 0;
         child = ::waitpid(-1, &status, WNOHANG)) {
        if (child == launcher_) {
            return status;
        }
    }
    return std::nullopt;
}

}  // namespace schedfarm::engine
