// A few replications of every cell, in bounded time, to learn what a campaign will cost. Each cell
// is measured in a child process, so that a replication that lasts too long, or crashes, costs
// its share of the time and nothing else. Call before threads and MPI are started.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/simulation/measurement/observations.hpp"

#include "app/campaign/plan/plan.hpp"

namespace schedfarm::app {

struct PilotLimits {
    double seconds = 20;  ///< of wall time, in all
    std::uint32_t replications = 8;
    double least_seconds_per_cell = 0.5;  ///< with too many cells for that, some are left out
};

struct MeasuredReplication {
    engine::Observations observations;
    double seconds = 0;
};

struct MeasuredCell {
    std::uint32_t cell = 0;
    std::optional<double> utilization;  ///< used, where the load is placed or searched for
    std::vector<MeasuredReplication> replications;  ///< 0, 1, …
    double cut_after_s = 0;  ///< seconds given to a replication that had not ended by then; 0: none
    std::string failure;     ///< of the first replication that failed; empty: none
};

/// Replications of one cell until the time is over. REQUIRES: `utilization` where the cell has no
/// load of its own. Throws std::system_error when no process can be started.
MeasuredCell measure_cell(
    const Cell& cell, std::optional<double> utilization, double seconds, std::uint32_t replications
);

/// The cells measured, by index. Cells whose load is placed by a pilot that was not measured are
/// left out.
std::vector<MeasuredCell> run_pilot(const Plan& plan, const PilotLimits& limits);

/// The order in which cells are measured: those that others wait for first, then spread over the
/// grid, so that the cells left out when time is short lie between measured ones.
std::vector<std::uint32_t> measuring_order(const Plan& plan);

}  // namespace schedfarm::app
