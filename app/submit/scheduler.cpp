#include "app/submit/scheduler.hpp"

#include <array>
#include <chrono>
#include <cstdio>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <sys/wait.h>

#include "engine/farm/stopwatch.hpp"
#include "engine/foundation/message_text.hpp"

namespace schedfarm::app {

namespace {

constexpr double seconds_between_calls = 1;

std::string trimmed(std::string text) {
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) {
        text.pop_back();
    }
    return text;
}

std::string run_process(const std::vector<std::string>& command) {
    std::string line;
    for (const std::string& word : command) {
        line += engine::shell_word(word) + " ";
    }
    FILE* const pipe = popen((line + "2>&1").c_str(), "r");
    if (pipe == nullptr) {
        throw SchedulerError("no process can be started");
    }
    std::string output;
    std::array<char, 4096> piece{};
    while (const std::size_t size = std::fread(piece.data(), 1, piece.size(), pipe)) {
        output.append(piece.data(), size);
    }
    output = trimmed(std::move(output));
    constexpr int not_found = 127;  // says the shell
    const int status = pclose(pipe);
    if (WIFEXITED(status) && WEXITSTATUS(status) == not_found) {
        throw SchedulerError(fmt::format("{} cannot be started: {}", command.front(), output));
    }
    if (status != 0) {
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
        [clock = engine::Stopwatch()] { return clock.seconds(); },
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
