// Reads `horizon` and `pilot` of a cell.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/simulation/experiment.hpp"

#include "campaigns/config/node.hpp"
#include "campaigns/config/problems.hpp"

namespace schedfarm::campaigns {

/// Only what the experiment uses; the rest is 0.
struct HorizonSettings {
    engine::Horizon horizon;
    std::uint32_t series_bins = 0;
};

std::optional<HorizonSettings> read_horizon(
    const Node& cell, std::optional<engine::ExperimentKind> experiment, Problems& problems
);

/// The saturated experiment that estimates a saturation point.
struct PilotSettings {
    engine::Horizon horizon;
    std::uint64_t replications = 0;
};

std::optional<PilotSettings> read_pilot(const Node& cell, Problems& problems);

}  // namespace schedfarm::campaigns
