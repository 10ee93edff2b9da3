// A worker: executes the tasks it is sent, in order, and reports their results.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/farm/task_executor.hpp"
#include "engine/farm/transport/transport.hpp"

namespace schedfarm::engine {

/// Beside a worker while it executes.
class ExecutionWatch {
  public:
    ExecutionWatch() = default;
    ExecutionWatch(const ExecutionWatch&) = delete;
    ExecutionWatch& operator=(const ExecutionWatch&) = delete;
    virtual ~ExecutionWatch() = default;

    /// These tasks are about to be executed together.
    virtual void begin(std::span<const Task> tasks) = 0;
    /// They have been.
    virtual void end(std::span<const TaskResult> results) = 0;
    /// True: the results so far are to be sent at once.
    virtual bool is_full() const = 0;
    /// All results so far have been sent.
    virtual void sent() = 0;
};

/// Executes one task. Whatever the function throws becomes a result with the exception's text and
/// status failed (TaskFailure: its own status); only WorkerBroken goes through.
TaskResult execute_task(const Task& task, const TaskFunction& execute, std::uint32_t rank);

/// Executes the first of these tasks, and those behind it that are executed faster together with
/// it: they share the time. REQUIRES: there is a task.
std::vector<TaskResult> execute_first(
    std::span<const Task> tasks,
    const TaskExecutor& execute,
    std::uint32_t rank,
    ExecutionWatch* watch = nullptr
);

/// The name of this machine.
std::string host_name();

/// Says hello, then executes orders until the master says stop, or until it can execute nothing
/// more, which it says. Results of a bundle travel together, but none waits longer than about 50 ms
/// for the next task.
void serve(
    WorkerTransport& transport, const TaskExecutor& execute, ExecutionWatch* watch = nullptr
);

}  // namespace schedfarm::engine
