#include "app/cli/execution.hpp"

#include "app/run/journal/task_message.hpp"

namespace schedfarm::app {

namespace {

constexpr double bytes_per_mib = 1024.0 * 1024.0;

bool isolates_all(const RunCommand& options) {
    return options.isolation == "fork" || options.time_limit_s || options.memory_limit_mib;
}

engine::TaskLimits limits_of(const RunCommand& options) {
    engine::TaskLimits limits{options.time_limit_s, std::nullopt};
    if (options.memory_limit_mib) {
        limits.memory_bytes = static_cast<std::uint64_t>(*options.memory_limit_mib * bytes_per_mib);
    }
    return limits;
}

}  // namespace

Execution::Execution(const RunCommand& options) : options_(options) {
    if (isolates_all(options) || options.isolation == "suspects") {
        server_.emplace(options.execute(options.kernel, options.waits).one(), limits_of(options));
    }
}

engine::TaskExecutor Execution::function() {
    if (!server_) {
        return options_.execute(options_.kernel, options_.waits);
    }
    const bool all = isolates_all(options_);
    const auto here = options_.execute(options_.kernel, options_.waits);
    const auto one = [this, all, here](const engine::Bytes& task) {
        return all || read_task_message(task).task.is_suspect ? server_->execute(task)
                                                              : here.one()(task);
    };
    if (all) {
        return one;
    }
    return {one, [here](std::span<const engine::Task> tasks) {
                return here.several(tasks);
            }};
}

}  // namespace schedfarm::app
