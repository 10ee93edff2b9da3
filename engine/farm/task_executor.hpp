// What a worker executes tasks with. Some tasks are executed faster together than one by one: a
// giver of work has them in a row, and the executor takes as many as it likes.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/farm/task.hpp"

namespace schedfarm::engine {

/// Tasks that a giver of work has in a row where they might be executed together.
inline constexpr std::size_t most_together = 8;

/// Executes tasks on a worker, one by one or several together.
class TaskExecutor {
  public:
    /// Results of the first of these tasks, as many as are executed faster together; empty: none
    /// are. After an exception they are executed one by one.
    using Several = std::function<std::vector<Bytes>(std::span<const Task>)>;

    TaskExecutor() = default;
    /// `function`: a TaskFunction.
    template <
        typename Function,
        typename = std::enable_if_t<std::is_convertible_v<Function, TaskFunction>>>
    // NOLINTNEXTLINE(google-explicit-constructor)
    TaskExecutor(Function function, Several together = nullptr)
        : one_(std::move(function)), several_(std::move(together)) {}

    explicit operator bool() const { return one_ != nullptr; }
    const TaskFunction& one() const { return one_; }
    std::vector<Bytes> several(std::span<const Task> tasks) const {
        return several_ == nullptr ? std::vector<Bytes>() : several_(tasks);
    }

  private:
    TaskFunction one_;
    Several several_;
};

}  // namespace schedfarm::engine
