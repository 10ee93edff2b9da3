// The means of a cell that its twins (app/campaign/plan/twins.hpp) make more precise.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/statistics/selection/control_variates.hpp"

#include "app/campaign/plan/plan.hpp"

namespace schedfarm::app {

class CellProgress;

/// The mean of a metric over the first n replications by that one of the cell's twins which leaves
/// the least variance. Absent where the cell has none, of ratios, quantiles of all jobs and means
/// that do not depend on the queue, where the twin does not pay (a variance divided by less than
/// least_twin_gain), and where the cell's queue is a twin itself (more than least_gain_of_itself,
/// as of the waits at one server): the mean would be theory's, whatever was simulated.
/// REQUIRES: observed by the cell.
std::optional<engine::ControlledEstimate> estimate_by_twin(
    const CellProgress& cell, const std::string& metric, std::uint64_t n
);

inline constexpr double least_twin_gain = 1.5;
inline constexpr double least_gain_of_itself = 1e9;

}  // namespace schedfarm::app
