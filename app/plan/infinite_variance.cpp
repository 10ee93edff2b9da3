#include "app/plan/infinite_variance.hpp"

#include <algorithm>
#include <cmath>

#include "engine/random/distribution.hpp"

#include "app/config/fixed_jobs.hpp"

namespace schedfarm::app {

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
