// The twins of a cell (app/campaign/plan/twins.hpp) at work: what they wait in a replication, and
// the means of the cell that they make more precise.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/simulation/workload_model.hpp"
#include "engine/statistics/selection/control_variates.hpp"

#include "app/campaign/plan/plan.hpp"

namespace schedfarm::app {

class CellProgress;

/// The mean wait of the jobs measured, in mean service times, of a queue of one server at each
/// load, from empty, first come first served. Lindley: W' = max(0, W + x − a), x the work of the
/// job in means of it, a the time to the next arrival times the arrival rate over the load. O(jobs
/// · loads). REQUIRES: as many jobs as the horizon has; traits with all three means.
std::vector<double> twin_waits(
    engine::WorkloadModel& jobs, const engine::Horizon& horizon, std::span<const double> loads
);

/// The mean of a metric over the first n replications by that one of the cell's twins which leaves
/// the least variance. Absent where the cell has none, of ratios, quantiles of all jobs and means
/// that do not depend on the queue, and where the twin does not pay: below a variance divided by
/// least_twin_gain. REQUIRES: observed by the cell.
std::optional<engine::ControlledEstimate> estimate_by_twin(
    const CellProgress& cell, const std::string& metric, std::uint64_t n
);

inline constexpr double least_twin_gain = 1.5;

}  // namespace schedfarm::app
