#include "app/plan/lengthening.hpp"

#include "engine/foundation/expect.hpp"

namespace schedfarm::app {

std::uint32_t level_of(const Cell& cell, std::uint64_t replication) {
    return cell.lengthening ? static_cast<std::uint32_t>(replication / replications_per_level) : 0;
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

}  // namespace schedfarm::app
