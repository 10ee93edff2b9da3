#include "app/campaign/plan/lengthening.hpp"

#include <algorithm>

#include "engine/foundation/expect.hpp"
#include "engine/statistics/steady_state/start_bias.hpp"

namespace schedfarm::app {

std::uint32_t level_of(const Cell& cell, std::uint64_t replication) {
    return cell.lengthening ? static_cast<std::uint32_t>(replication / replications_per_level) : 0;
}

bool shares_horizons(const Plan& plan) {
    return plan.comparison && !plan.comparison->target && !plan.selection
           && std::any_of(plan.cells.begin(), plan.cells.end(), [](const Cell& cell) {
                  return cell.lengthening != nullptr;
              });
}

std::uint64_t position_in_level(const Cell& cell, std::uint64_t replication) {
    return cell.lengthening ? replication % replications_per_level : replication;
}

engine::Horizon horizon_at(const Cell& cell, std::uint32_t level) {
    if (!cell.lengthening) {
        return cell.experiment.horizon;
    }
    SCHEDFARM_EXPECT(level <= last_level, "a horizon is longer than any that is tried");
    engine::Horizon horizon = cell.lengthening->first;
    horizon.jobs <<= level;
    if (cell.lengthening->warm_up_grows) {
        horizon.warm_up_jobs <<= level;
    }
    return horizon;
}

double aimed_relaxation_times(double allowed_bias, double warm_up_fraction) {
    constexpr double fewest = 100;
    return std::max(fewest, 2 * engine::relaxation_times_for(allowed_bias, warm_up_fraction));
}

}  // namespace schedfarm::app
