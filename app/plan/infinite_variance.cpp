#include "app/plan/infinite_variance.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <variant>

#include "engine/random/distribution.hpp"

namespace schedfarm::app {

namespace {

/// Whether this holds of a workload, or of a choice inside of it.
bool holds_inside(
    const engine::Choice& workload, const std::function<bool(const engine::Choice&)>& holds
) {
    const auto holds_in = [&holds](const engine::Value& value) {
        const auto* inner = std::get_if<std::shared_ptr<const engine::Choice>>(&value.data());
        return inner != nullptr && holds_inside(**inner, holds);
    };
    const auto& entries = workload.parameters.entries();
    return holds(workload) || std::any_of(entries.begin(), entries.end(), [&](const auto& entry) {
               const auto* list = std::get_if<engine::Value::List>(&entry.second.data());
               return list == nullptr ? holds_in(entry.second)
                                      : std::any_of(list->begin(), list->end(), holds_in);
           });
}

}  // namespace

bool has_infinite_variance(const engine::Choice& workload) {
    return holds_inside(workload, [](const engine::Choice& inner) {
        const auto& families = engine::time_distributions();
        const bool is_of_times =
            std::any_of(families.begin(), families.end(), [&inner](const engine::Alternative& own) {
                return own.name == inner.name;
            });
        return is_of_times
               && std::isinf(engine::make_time_distribution(inner)->squared_variation());
    });
}

}  // namespace schedfarm::app
