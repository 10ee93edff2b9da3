#include "app/submit/scheduler.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <regex>
#include <string_view>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

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

/// What an allocation sets for its steps, and what their launcher sets for ranks: a job that found
/// the latter would take itself for a rank.
constexpr std::array<std::string_view, 5> of_allocations{
    "SLURM_", "SLURMD_", "PMI_", "PMIX_", "OMPI_"};
/// How to reach Slurm, and how the user wants MPI to work.
constexpr std::array<std::string_view, 5> kept{
    "SLURM_CONF", "SLURM_CLUSTERS", "SLURM_JWT", "PMIX_MCA_", "OMPI_MCA_"};

template <std::size_t N>
bool begins_with_one_of(const std::array<std::string_view, N>& words, const std::string& name) {
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
        return name.starts_with(word);
    });
}

}  // namespace

SubmittedJob job_in(const std::string& answer) {
    static const std::regex sentence(R"(Submitted batch job (\d+)(?: on cluster (\S+))?)");
    static const std::regex line(R"((?:^|\n)[ \t]*(\d+)(?:;(\S+))?[ \t\r]*(?=\n|$))");
    static const std::regex words(R"([Jj]ob(?:[ _]?[Ii][Dd])?[ \t:#=<]*(\d+))");
    for (const std::regex* const pattern : {&sentence, &line, &words}) {
        std::smatch found;
        for (std::sregex_iterator at(answer.begin(), answer.end(), *pattern), end; at != end;
             ++at) {
            found = *at;  // the last: a greeting comes before
        }
        if (!found.empty()) {
            return {found.str(1), found.size() > 2 ? found.str(2) : "", answer};
        }
    }
    return {"", "", answer};
}

std::vector<std::string> command_of(const SubmittedJob& job, std::vector<std::string> command) {
    if (!job.cluster.empty()) {
        command.insert(command.begin() + 1, {"-M", job.cluster});
    }
    return command;
}

void leave_allocation() {
    std::vector<std::string> names;
    for (char** variable = environ; *variable != nullptr; ++variable) {
        const std::string_view text = *variable;
        names.emplace_back(text.substr(0, text.find('=')));
    }
    for (const std::string& name : names) {
        if (begins_with_one_of(of_allocations, name) && !begins_with_one_of(kept, name)) {
            ::unsetenv(name.c_str());  // NOLINT(concurrency-mt-unsafe): before any thread
        }
    }
}

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
            "one that has Slurm.",
            without_prefixes(error.what())
        ));
    }
}

SubmittedJob Scheduler::submit(const std::string& script, const std::string& after) {
    std::vector<std::string> command{"sbatch", "--parsable"};
    if (!after.empty()) {
        command.push_back("--dependency=afterany:" + after);
    }
    command.push_back(script);
    try {
        return job_in(call(command));
    } catch (const SchedulerError& error) {
        throw SchedulerError(fmt::format(
            "Slurm did not take {} ({}). Nothing is submitted",
            script,
            without_prefixes(error.what())
        ));
    }
}

std::uint32_t Scheduler::longest_array() {
    static const std::regex line(R"(MaxArraySize\s*=\s*(\d{1,9}))");
    std::smatch found;
    std::string configuration;
    try {
        configuration = call({"scontrol", "show", "config"});
    } catch (const SchedulerError&) {
        configuration.clear();
    }
    const bool is_said = std::regex_search(configuration, found, line);
    const std::uint32_t size =
        is_said ? static_cast<std::uint32_t>(std::stoul(found.str(1))) : 1001;
    if (size < 2) {
        throw SchedulerError(
            "this Slurm takes no arrays (MaxArraySize). Use more --ntasks, without --array"
        );
    }
    return size - 1;
}

void Scheduler::cancel(const SubmittedJob& job) {
    call(command_of(job, {"scancel", job.number}));
}

}  // namespace schedfarm::app
