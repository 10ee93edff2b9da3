// schedfarm run and resume with replications that misbehave. Those named in the file `faults` of
// the current folder do, one per line: cell, replication, and how: segfault, throw, loop, memory;
// or wait, which ends when the file `go` is there. Where there is a file `executed`, every
// replication that is begun adds a line to it.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <CLI/CLI.hpp>
#include <fcntl.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include "app/cli/commands/options/run_options.hpp"
#include "app/cli/explain.hpp"
#include "app/run/journal/task_message.hpp"

namespace schedfarm::app {

namespace {

std::string fault_of(ReplicationId id) {
    std::ifstream faults("faults");
    ReplicationId named;
    for (std::string how; faults >> named.cell >> named.replication >> how;) {
        if (named.cell == id.cell && named.replication == id.replication) {
            return how;
        }
    }
    return "";
}

void sleep_until(const std::function<bool()>& is_over) {
    while (!is_over()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

void misbehave(const std::string& how) {
    if (how == "segfault") {
        std::signal(SIGSEGV, SIG_DFL);
        std::raise(SIGSEGV);
    } else if (how == "throw") {
        throw std::runtime_error("thrown on purpose");
    } else if (how == "loop") {
        sleep_until([] { return false; });
    } else if (how == "wait") {
        sleep_until([] { return std::filesystem::exists("go"); });
    } else if (how == "memory") {
        std::vector<std::vector<char>> hoard;
        for (;;) {
            hoard.emplace_back(std::size_t{16} << 20);
        }
    }
}

/// One write to a file opened for appending: lines of several processes do not mix.
void record_execution(ReplicationId id) {
    const int file = ::open("executed", O_WRONLY | O_APPEND | O_CLOEXEC);
    if (file >= 0) {
        const std::string line =
            std::to_string(id.cell) + " " + std::to_string(id.replication) + "\n";
        static_cast<void>(::write(file, line.data(), line.size()));
        ::close(file);
    }
}

engine::TaskExecutor faulty_function(SimulatorChoice kernel, models::trace::WaitGroups groups) {
    const auto id_of = [](const engine::Bytes& task) {
        return read_task_message(task).task.id;
    };
    const engine::TaskExecutor sound = replication_function(kernel, groups);
    const auto one = [sound, id_of](const engine::Bytes& task) {
        record_execution(id_of(task));
        misbehave(fault_of(id_of(task)));
        return sound.one()(task);
    };
    const auto several = [sound, id_of](std::span<const engine::Task> tasks) {
        for (const engine::Task& task : tasks) {
            if (!fault_of(id_of(task.payload)).empty()) {
                return std::vector<engine::Bytes>();
            }
        }
        std::vector<engine::Bytes> results = sound.several(tasks);
        for (std::size_t i = 0; i < results.size(); ++i) {
            record_execution(id_of(tasks[i].payload));
        }
        return results;
    };
    return {one, several};
}

int program(int argc, char** argv) {
    spdlog::set_default_logger(spdlog::stderr_color_st("schedfarm"));
    spdlog::set_pattern("schedfarm: %^%l%$: %v");
    CLI::App app;
    app.require_subcommand(1);
    const auto run = std::make_shared<RunCommand>();
    const auto resume = std::make_shared<RunCommand>();
    resume->existing_journal = ExistingJournal::resume;
    run->execute = resume->execute = faulty_function;
    CLI::App* is_run = add_run_command(app, "run", run);
    add_run_command(app, "resume", resume);
    CLI11_PARSE(app, argc, argv);
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    try {
        return static_cast<int>(run_command(is_run->parsed() ? *run : *resume, arguments));
    } catch (...) {
        return static_cast<int>(explain_current_exception());
    }
}

}  // namespace

}  // namespace schedfarm::app

int main(int argc, char** argv) {
    return schedfarm::app::program(argc, argv);
}
