// A worker: executes the tasks it is sent, in order, and reports their results.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/farm/task_executor.hpp"
#include "engine/farm/transport/transport.hpp"

namespace schedfarm::engine {

/// Told of the tasks that are about to be executed together, and with none when they have been.
using OnExecution = std::function<void(std::span<const Task>)>;

/// Executes one task. Whatever the function throws becomes a result with the exception's text and
/// status failed (TaskFailure: its own status); only WorkerBroken goes through.
TaskResult execute_task(const Task& task, const TaskFunction& execute, std::uint32_t rank);

/// Executes the first of these tasks, and those behind it that are executed faster together with
/// it: they share the time. REQUIRES: there is a task.
std::vector<TaskResult> execute_first(
    std::span<const Task> tasks,
    const TaskExecutor& execute,
    std::uint32_t rank,
    const OnExecution& on_execution = nullptr
);

/// The name of this machine.
std::string host_name();

/// Says hello, then executes orders until the master says stop, or until it can execute nothing
/// more, which it says. Results of a bundle travel together, but none waits longer than about 50 ms
/// for the next task.
void serve(
    WorkerTransport& transport,
    const TaskExecutor& execute,
    const OnExecution& on_execution = nullptr
);

}  // namespace schedfarm::engine
