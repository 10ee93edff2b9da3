#include "app/submit/scheduler.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

namespace schedfarm::app {

namespace {

constexpr double seconds_between_calls = 1;

double scheduler_seconds() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(now).count();
}

/// Replaces this process by the command; its output goes to the pipe.
[[noreturn]] void become(const std::vector<std::string>& command, int output) {
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    std::vector<char*> words;
    for (const std::string& word : command) {
        words.push_back(const_cast<char*>(word.c_str()));  // NOLINT: execvp's C signature
    }
    words.push_back(nullptr);
    execvp(words.front(), words.data());
    const std::string problem = fmt::format(
        "{} cannot be started: {}\n",
        command.front(),
        std::strerror(errno)  // NOLINT(concurrency-mt-unsafe): one thread
    );
    if (write(STDERR_FILENO, problem.data(), problem.size()) < 0) {
        _exit(126);
    }
    _exit(127);
}

std::string read_to_end(int file) {
    std::string text;
    std::array<char, 4096> piece{};
    for (ssize_t size = 0; (size = read(file, piece.data(), piece.size())) != 0;) {
        if (size > 0) {
            text.append(piece.data(), static_cast<std::size_t>(size));
        } else if (errno != EINTR) {
            break;
        }
    }
    return text;
}

std::string trimmed(std::string text) {
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) {
        text.pop_back();
    }
    return text;
}

std::string run_process(const std::vector<std::string>& command) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) {
        throw SchedulerError("no pipe can be opened");
    }
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        become(command, ends[1]);
    }
    close(ends[1]);
    std::string output = trimmed(read_to_end(ends[0]));
    close(ends[0]);
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0) {
        throw SchedulerError(
            output.empty() ? fmt::format("{} failed and does not say why", command.front()) : output
        );
    }
    return output;
}

/// sbatch --parsable prints "number[;cluster]" on the last line.
std::string job_number(const std::string& output) {
    const std::size_t line = output.rfind('\n');
    const std::string last = line == std::string::npos ? output : output.substr(line + 1);
    std::string number = last.substr(0, last.find(';'));
    if (number.empty() || number.find_first_not_of("0123456789") != std::string::npos) {
        throw SchedulerError("sbatch answered without a job number: " + output);
    }
    return number;
}

/// "sbatch: error: one\nsbatch: fatal: two" as one line, without what names the program.
std::string without_prefixes(std::string text) {
    for (const std::string prefix : {"sbatch: error: ", "sbatch: fatal: "}) {
        for (std::size_t at = 0; (at = text.find(prefix, at)) != std::string::npos;) {
            text.erase(at, prefix.size());
        }
    }
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos;) {
        text.replace(at, 1, "; ");
    }
    return text;
}

}  // namespace

SchedulerWorld real_world() {
    return {
        scheduler_seconds,
        [](double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); },
        run_process};
}

std::string Scheduler::call(const std::vector<std::string>& command) {
    if (last_call_s_) {
        const double wait = *last_call_s_ + seconds_between_calls - world_.now_s();
        if (wait > 0) {
            world_.sleep(wait);
        }
    }
    last_call_s_ = world_.now_s();
    return world_.run(command);
}

void Scheduler::expect_present() {
    try {
        call({"sbatch", "--version"});  // reads Slurm's configuration, too
    } catch (const SchedulerError& error) {
        throw SchedulerError(fmt::format(
            "no job can be submitted from this machine ({}). Print the script by --dry-run, for "
            "one that has Slurm?",
            without_prefixes(error.what())
        ));
    }
}

std::string Scheduler::submit(const std::string& script, const std::string& after) {
    std::vector<std::string> command{"sbatch", "--parsable"};
    if (!after.empty()) {
        command.push_back("--dependency=afterany:" + after);
    }
    command.push_back(script);
    try {
        return job_number(call(command));
    } catch (const SchedulerError& error) {
        throw SchedulerError(fmt::format(
            "Slurm did not take {} ({}). Nothing is submitted",
            script,
            without_prefixes(error.what())
        ));
    }
}

void Scheduler::cancel(const std::string& job) {
    call({"scancel", job});
}

}  // namespace schedfarm::app
