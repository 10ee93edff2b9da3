// What travels between master and workers. The farm does not know what a task means: its payload
// and its result are bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace schedfarm::engine {

using Bytes = std::vector<std::byte>;

/// Unique over a campaign; the giver of work decides what it means.
struct TaskId {
    std::uint64_t value = 0;
    friend bool operator==(TaskId, TaskId) = default;
    friend auto operator<=>(TaskId, TaskId) = default;  // NOLINT(modernize-use-nullptr): its error
};

struct Task {
    TaskId id;
    Bytes payload;
    double predicted_seconds = 0;  ///< 0: unknown; short tasks are bundled
};

enum class TaskStatus : std::uint8_t { done = 0, failed = 1, timeout = 2, crashed = 3 };

struct TaskResult {
    TaskId id;
    TaskStatus status = TaskStatus::done;
    Bytes payload;        ///< done: the result
    std::string message;  ///< otherwise: what went wrong
    double seconds = 0;   ///< wall clock of the task on its worker
    std::uint32_t rank = 0;
    double began_s = 0;      ///< seconds since 1970 by the clock of the worker; 0: not known
    double run_began_s = 0;  ///< the same of the run, by the clock of the master
};

/// Thrown by a TaskFunction that knows how the task ended: the result gets this status.
class TaskFailure : public std::runtime_error {
  public:
    TaskFailure(TaskStatus status, const std::string& message)
        : std::runtime_error(message), status_(status) {}
    TaskStatus status() const { return status_; }

  private:
    TaskStatus status_;
};

/// Thrown by a TaskFunction that can execute nothing more: the one exception that is no result of
/// the task. It leaves the farm.
class WorkerBroken : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Executes a task's payload on a worker; an exception becomes a result with status failed.
using TaskFunction = std::function<Bytes(const Bytes&)>;

/// A task that lasts more than ten times what was predicted.
struct OverdueTask {
    TaskId id;
    double seconds = 0;
    double predicted_seconds = 0;
};
using OnOverdueTask = std::function<void(const OverdueTask&)>;

/// The giver of work: a campaign. Called on the master only, from one thread.
class WorkSource {
  public:
    WorkSource() = default;
    WorkSource(const WorkSource&) = delete;
    WorkSource& operator=(const WorkSource&) = delete;
    virtual ~WorkSource() = default;

    /// The next task to dispatch; absent: nothing to do until more results have come in.
    virtual std::optional<Task> next_task() = 0;
    /// Takes a result; called once per task, in order of arrival. What the source makes of it must
    /// not depend on that order.
    virtual void accept(const TaskResult& result) = 0;
    /// The worker that has this task is lost: next_task() is to give it once more.
    virtual void give_again(TaskId /*id*/) {
        throw std::logic_error("this source of work gives no task twice");
    }
    /// True when no further task will be given; tasks under way may still be accepted.
    virtual bool finished() const = 0;
    /// How many tasks next_task() would give before it gives none, where that is known: the farm
    /// gives nothing ahead in the last wave, and shares the last short tasks out evenly.
    virtual std::optional<std::uint64_t> tasks_ready() const { return std::nullopt; }
};

}  // namespace schedfarm::engine
