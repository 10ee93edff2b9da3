// Reads `horizon` and `pilot` of a cell.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/simulation/experiment.hpp"

#include "app/campaign/yaml/node.hpp"
#include "app/campaign/yaml/problems.hpp"

namespace schedfarm::app {

struct CellSettings;  // app/campaign/checks/cell_settings.hpp

/// Only what the experiment uses; the rest is 0.
struct HorizonSettings {
    engine::Horizon horizon;
    std::uint32_t series_bins = 0;
    bool is_auto = false;        ///< no number of jobs is given, or `auto`
    bool warm_up_grows = false;  ///< the warm-up is a fraction of the jobs
};

/// The jobs of a replication where none are given.
inline constexpr std::uint64_t default_jobs = 20'000;

/// The most replications of a cell whose length the program finds: their numbers tell the length.
inline constexpr std::uint64_t most_while_lengthening = 1'000'000;

/// What the campaign says of the number of jobs.
enum class JobCount : std::uint8_t { given, all };

/// `read`: what is read of the cell already, the experiment among it. All jobs have been counted.
std::optional<HorizonSettings> read_horizon(
    const Node& cell, JobCount count, const CellSettings& read, Problems& problems
);

/// The saturated experiment that estimates a saturation point.
struct PilotSettings {
    engine::Horizon horizon;
    std::uint64_t replications = 0;
};

std::optional<PilotSettings> read_pilot(const Node& cell, Problems& problems);

}  // namespace schedfarm::app
