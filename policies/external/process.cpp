#include "policies/external/process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/foundation/utf8.hpp"

// NOLINTNEXTLINE(readability-redundant-declaration)
extern char** environ;

namespace schedfarm::policies {

namespace {

constexpr std::size_t longest_answer = std::size_t{1} << 28;
constexpr std::size_t kept_errors = 2000;  // bytes

double seconds_now() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(now).count();
}

/// Hash seeds and threads must not make answers differ.
std::vector<std::string> environment(const std::vector<std::string>& more) {
    std::vector<std::string> own{
        "PYTHONHASHSEED=0",
        "OMP_NUM_THREADS=1",
        "OPENBLAS_NUM_THREADS=1",
        "MKL_NUM_THREADS=1",
        "NUMEXPR_NUM_THREADS=1",
        "PYTHONIOENCODING=utf-8"};
    own.insert(own.end(), more.begin(), more.end());
    std::vector<std::string> all = own;
    for (char** variable = environ; *variable != nullptr; ++variable) {
        const std::string_view text = *variable;
        const std::string_view name = text.substr(0, text.find('=') + 1);
        const bool is_own = std::any_of(own.begin(), own.end(), [name](const std::string& one) {
            return one.starts_with(name);
        });
        if (!is_own) {
            all.emplace_back(text);
        }
    }
    return all;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
    std::vector<char*> result;
    for (std::string& word : words) {
        result.push_back(word.data());
    }
    result.push_back(nullptr);
    return result;
}

void shut(int& descriptor) {
    if (descriptor >= 0) {
        ::close(descriptor);
    }
    descriptor = -1;
}

/// In the child, which may call nothing that takes a lock. Its end is told by the number of the
/// error on `failure`.
[[noreturn]] void become(
    char* const* words,
    char* const* variables,
    const char* folder,
    const std::array<int, 3>& streams,
    pid_t parent,
    int failure
) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGPIPE, SIGXFSZ}) {
        ::signal(signal, SIG_DFL);
    }
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    bool is_ready = ::getppid() == parent && (*folder == '\0' || ::chdir(folder) == 0);
    for (int i = 0; i < 3 && is_ready; ++i) {
        is_ready = ::dup2(streams.at(static_cast<std::size_t>(i)), i) == i;
    }
    if (is_ready) {
        ::execvpe(words[0], words, variables);
    }
    const int error = errno;
    [[maybe_unused]] const auto written = ::write(failure, &error, sizeof(error));
    ::_exit(127);
}

std::vector<std::unique_ptr<PolicyProcess>>& idle_processes() {
    static std::vector<std::unique_ptr<PolicyProcess>> idle;
    return idle;
}

}  // namespace

PolicyProcess::PolicyProcess(ExternalCode code) : code_(std::move(code)) {
    expect_may_start(code_);
    try {
        start();
    } catch (...) {
        shut(lines_);
        shut(answers_);
        shut(errors_);
        throw;
    }
}

void PolicyProcess::start() {
    std::array<int, 2> lines{-1, -1};
    std::array<int, 2> answers{-1, -1};
    std::array<int, 2> errors{-1, -1};
    std::array<int, 2> failure{-1, -1};
    const bool is_open = ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, lines.data()) == 0
                         && ::pipe2(answers.data(), O_CLOEXEC) == 0
                         && ::pipe2(errors.data(), O_CLOEXEC) == 0
                         && ::pipe2(failure.data(), O_CLOEXEC) == 0;
    lines_ = lines[0];
    answers_ = answers[0];
    errors_ = errors[0];
    std::vector<std::string> variables = environment(*external_variables());
    std::vector<char*> words = pointers(code_.command);
    std::vector<char*> names = pointers(variables);
    const std::string folder = code_.folder.string();
    const pid_t parent = ::getpid();
    pid_ = is_open ? ::fork() : -1;
    if (pid_ == 0) {
        become(
            words.data(),
            names.data(),
            folder.c_str(),
            {lines[1], answers[1], errors[1]},
            parent,
            failure[1]
        );
    }
    int error = pid_ < 0 ? errno : 0;
    shut(lines[1]);
    shut(answers[1]);
    shut(errors[1]);
    shut(failure[1]);
    if (pid_ > 0) {
        ::setpgid(pid_, pid_);
        while (::read(failure[0], &error, sizeof(error)) < 0 && errno == EINTR) {
        }
    }
    shut(failure[0]);
    if (error != 0) {
        if (pid_ > 0) {
            ::waitpid(pid_, nullptr, 0);
        }
        throw ExternalPolicyError(fmt::format(
            "the policy `{}` cannot be started ({}: {})",
            code_.text(),
            code_.command.front(),
            std::strerror(error)  // NOLINT(concurrency-mt-unsafe)
        ));
    }
    ::fcntl(answers_, F_SETFL, O_NONBLOCK);
    ::fcntl(errors_, F_SETFL, O_NONBLOCK);
}

PolicyProcess::~PolicyProcess() {
    shut(lines_);  // the end of its input
    constexpr int most_looks = 100;
    siginfo_t ended{};
    for (int look = 0; look < most_looks; ++look) {
        ended.si_pid = 0;
        if (::waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT) != 0
            || ended.si_pid != 0) {
            break;
        }
        ::usleep(2000);
    }
    ::kill(-pid_, SIGKILL);  // and what it has started; its number is taken until it is waited for
    ::waitpid(pid_, nullptr, 0);
    shut(answers_);
    shut(errors_);
}

bool PolicyProcess::wait(short events, double deadline) {
    const int stream = events == POLLOUT ? lines_ : answers_;
    std::array<pollfd, 2> watched{{{stream, events, 0}, {errors_, POLLIN, 0}}};
    const double left = deadline - seconds_now();
    const int found =
        left <= 0 ? 0 : ::poll(watched.data(), watched.size(), static_cast<int>(left * 1e3) + 1);
    if (found < 0 && errno == EINTR) {
        return false;
    }
    if (found <= 0) {
        throw ExternalPolicyError(
            fmt::format("gave no answer within {:g} s (timeout_s){}", timeout_s_, last_words())
        );
    }
    if (watched[1].revents != 0) {
        read_errors();
    }
    return watched[0].revents != 0;
}

void PolicyProcess::send(std::string_view line, double deadline) {
    while (!line.empty()) {
        const auto sent = ::send(lines_, line.data(), line.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent >= 0) {
            line.remove_prefix(static_cast<std::size_t>(sent));
        } else if (errno == EAGAIN) {
            wait(POLLOUT, deadline);
        } else if (errno != EINTR) {
            throw ExternalPolicyError(end_text());
        }
    }
}

std::string_view PolicyProcess::exchange(std::string_view line, double timeout_s) {
    timeout_s_ = timeout_s;
    received_.erase(0, taken_);
    taken_ = 0;
    if (!received_.empty()) {
        throw ExternalPolicyError(fmt::format(
            "printed '{}' to standard output beside its answer. Print to standard error",
            engine::without_controls(received_.substr(0, 60))
        ));
    }
    const double deadline = seconds_now() + timeout_s;
    send(line, deadline);
    std::size_t looked = 0;
    std::array<char, 16384> part{};
    for (;;) {
        if (!wait(POLLIN, deadline)) {
            continue;
        }
        const auto count = ::read(answers_, part.data(), part.size());
        if (count < 0 && (errno == EAGAIN || errno == EINTR)) {
            continue;
        }
        if (count <= 0) {
            throw ExternalPolicyError(end_text());
        }
        received_.append(part.data(), static_cast<std::size_t>(count));
        const std::size_t end = received_.find('\n', looked);
        if (end != std::string::npos) {
            taken_ = end + 1;
            return std::string_view(received_).substr(0, end);
        }
        looked = received_.size();
        if (looked > longest_answer) {
            throw ExternalPolicyError("answers without an end of line");
        }
    }
}

void PolicyProcess::read_errors() {
    std::array<char, 4096> part{};
    for (;;) {
        const auto count = ::read(errors_, part.data(), part.size());
        if (count <= 0) {
            if (count == 0) {
                shut(errors_);  // poll() leaves it out then
            }
            return;
        }
        last_errors_.append(part.data(), static_cast<std::size_t>(count));
        if (last_errors_.size() > 2 * kept_errors) {
            last_errors_.erase(0, last_errors_.size() - kept_errors);
        }
    }
}

std::string PolicyProcess::last_words() {
    for (int look = 0; look < 10 && errors_ >= 0; ++look) {
        pollfd watched{errors_, POLLIN, 0};
        if (::poll(&watched, 1, 20) <= 0) {
            break;
        }
        read_errors();
    }
    constexpr int most_lines = 6;
    std::string text = last_errors_;
    while (!text.empty() && text.back() == '\n') {
        text.pop_back();
    }
    std::size_t from = text.size();
    for (int line = 0; line < most_lines && from != std::string::npos && from > 0; ++line) {
        from = text.rfind('\n', from - 1);
    }
    text = text.substr(from == std::string::npos || from == 0 ? 0 : from + 1);
    text = engine::without_controls(text, engine::LineBreaks::keep);
    return text.empty() ? "" : ". Its last lines on standard error:\n" + text;
}

/// Why nothing more can be heard of it.
std::string PolicyProcess::end_text() {
    siginfo_t ended{};
    for (int look = 0; look < 50; ++look) {
        ended.si_pid = 0;
        if (::waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT) == 0
            && ended.si_pid != 0) {
            break;
        }
        ::usleep(2000);
    }
    std::string how = "closed its standard output";
    if (ended.si_pid != 0) {
        how = ended.si_code == CLD_EXITED ? fmt::format("ended with exit code {}", ended.si_status)
                                          : fmt::format("was ended by signal {}", ended.si_status);
    }
    return how + " in place of an answer" + last_words();
}

std::unique_ptr<PolicyProcess> PolicyProcess::lend(const ExternalCode& code) {
    auto& idle = idle_processes();
    for (auto found = idle.begin(); found != idle.end(); ++found) {
        if ((*found)->code() == code) {
            auto process = std::move(*found);
            idle.erase(found);
            return process;
        }
    }
    return std::make_unique<PolicyProcess>(code);
}

void PolicyProcess::give_back(std::unique_ptr<PolicyProcess> process) {
    constexpr std::size_t most_idle = 8;
    auto& idle = idle_processes();
    idle.push_back(std::move(process));
    if (idle.size() > most_idle) {
        idle.erase(idle.begin());
    }
}

}  // namespace schedfarm::policies
