#include "engine/farm/worker.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <iterator>
#include <new>
#include <utility>

#include <unistd.h>

#include "engine/farm/stopwatch.hpp"
#include "engine/farm/wall_clock.hpp"

namespace schedfarm::engine {

namespace {

constexpr double longest_delay_seconds = 0.05;

void execute_bundle(
    WorkerTransport& transport,
    const std::vector<Task>& tasks,
    const TaskExecutor& execute,
    ExecutionWatch* watch
) {
    WorkerReport report{.kind = ReportKind::results};
    const auto send = [&] {
        transport.send(report);
        report.results.clear();
        if (watch != nullptr) {
            watch->sent();
        }
    };
    Stopwatch since_first_result;
    for (std::span<const Task> left = tasks; !left.empty();) {
        const double delay_seconds = since_first_result.seconds() + left.front().predicted_seconds;
        const bool is_full = watch != nullptr && watch->is_full();
        if (!report.results.empty() && (is_full || delay_seconds > longest_delay_seconds)) {
            send();
        }
        std::vector<TaskResult> results = execute_first(left, execute, transport.rank(), watch);
        if (report.results.empty()) {
            since_first_result = Stopwatch();
        }
        left = left.subspan(results.size());
        std::move(results.begin(), results.end(), std::back_inserter(report.results));
    }
    send();
}

/// Empty where they are executed one by one.
std::vector<TaskResult> execute_together(
    std::span<const Task> tasks, const TaskExecutor& execute, std::uint32_t rank
) {
    const double began_s = seconds_since_1970();
    const Stopwatch stopwatch;
    std::vector<Bytes> payloads;
    try {
        payloads = execute.several(tasks);
    } catch (const WorkerBroken&) {
        throw;
    } catch (...) {  // one by one they show which of them it was
        return {};
    }
    const double seconds = stopwatch.seconds() / static_cast<double>(payloads.size());
    std::vector<TaskResult> results;
    for (Bytes& payload : payloads) {
        TaskResult& result = results.emplace_back();
        result.id = tasks[results.size() - 1].id;
        result.payload = std::move(payload);
        result.seconds = seconds;
        result.rank = rank;
        result.began_s = began_s + seconds * static_cast<double>(results.size() - 1);
    }
    return results;
}

}  // namespace

TaskResult execute_task(const Task& task, const TaskFunction& execute, std::uint32_t rank) {
    TaskResult result;
    result.id = task.id;
    result.rank = rank;
    result.began_s = seconds_since_1970();
    const Stopwatch stopwatch;
    try {
        result.payload = execute(task.payload);
    } catch (const WorkerBroken&) {
        throw;
    } catch (const TaskFailure& failure) {
        result.status = failure.status();
        result.message = failure.what();
    } catch (const std::bad_alloc&) {
        result.status = TaskStatus::failed;
        result.message = "out of memory";
    } catch (const std::exception& error) {
        result.status = TaskStatus::failed;
        result.message = error.what();
    } catch (...) {
        result.status = TaskStatus::failed;
        result.message = "an exception of unknown type";
    }
    result.seconds = stopwatch.seconds();
    return result;
}

std::vector<TaskResult> execute_first(
    std::span<const Task> tasks,
    const TaskExecutor& execute,
    std::uint32_t rank,
    ExecutionWatch* watch
) {
    const auto begin = [watch](std::span<const Task> executed) {
        if (watch != nullptr) {
            watch->begin(executed);
        }
    };
    std::vector<TaskResult> results;
    if (tasks.size() > 1) {
        begin(tasks.first(std::min(tasks.size(), most_together)));
        results = execute_together(tasks, execute, rank);
    }
    if (results.empty()) {
        begin(tasks.first(1));
        results.push_back(execute_task(tasks.front(), execute.one(), rank));
    }
    if (watch != nullptr) {
        watch->end(results);
    }
    return results;
}

std::string host_name() {
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

void serve(WorkerTransport& transport, const TaskExecutor& execute, ExecutionWatch* watch) {
    transport.send({.kind = ReportKind::hello, .text = host_name(), .first_rank = transport.rank()}
    );
    try {
        for (Order order = transport.receive(); order.kind == OrderKind::work;
             order = transport.receive()) {
            execute_bundle(transport, order.tasks, execute, watch);
        }
    } catch (const WorkerBroken& broken) {
        transport.send({.kind = ReportKind::broken, .text = broken.what()});
    }
}

}  // namespace schedfarm::engine
