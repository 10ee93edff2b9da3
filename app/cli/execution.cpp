#include "app/cli/execution.hpp"

#include <memory>

#include "app/plan/identity/plan_exchange.hpp"
#include "app/run/journal/outcome_codec.hpp"

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

/// The server has no plan when it is forked: it makes its own from the campaign's text.
engine::TaskFunction function_for(const RunCommand& options, const engine::Bytes& announcement) {
    const auto plan = std::make_shared<const Plan>(make_announced_plan(announcement));
    const engine::TaskFunction execute = options.execute(*plan, options.kernel);
    return [plan, execute](const engine::Bytes& task) {
        return execute(task);
    };
}

}  // namespace

Execution::Execution(const RunCommand& options) : options_(options) {
    if (isolates_all(options) || options.isolation == "suspects") {
        const auto factory = [&options](const engine::Bytes& announcement) {
            return function_for(options, announcement);
        };
        server_.emplace(factory, limits_of(options));
    }
}

engine::TaskFunction Execution::function(const Plan& plan) {
    if (!server_) {
        return options_.execute(plan, options_.kernel);
    }
    const bool all = isolates_all(options_);
    return
        [this, all, &plan, here = options_.execute(plan, options_.kernel)](const engine::Bytes& task
        ) {
            return all || decode_task(task).is_suspect ? isolated(plan, task) : here(task);
        };
}

engine::Bytes Execution::isolated(const Plan& plan, const engine::Bytes& task) {
    if (!is_set_up_) {
        server_->set_up(announced(plan));
        is_set_up_ = true;
    }
    return server_->execute(task);
}

}  // namespace schedfarm::app
