// Which cells ask for a mean of the steady state, and which of them say before anything runs that
// their replications are too short for one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/campaign/plan/plan.hpp"

namespace schedfarm::app {

/// Part of a ± that the bias of an empty start may take: with a tenth an interval of 95 % covers
/// 94.5 %, with a fifth 93.2 %.
inline constexpr double start_share = 0.1;

/// Whether a mean of the steady state is asked for, also of a load that is searched for: jobs of a
/// model arrive at an empty system, and the first ones are not measured. Without a warm-up, from a
/// backlog, or on a log the length of the run is part of the question.
bool asks_for_steady_state(const Cell& cell);

/// Whether the maximal utilization is known exactly and the load is not below it: the queue grows
/// without bound, and its means with the length of the run.
bool is_overloaded(const Cell& cell);

/// The overloaded cells, one text for all, of the first; empty: none.
std::vector<std::string> overload_warnings(const Plan& plan);

/// Whether a column of the cell is of a metric that grows with the queue.
bool depends_on_queue(const Cell& cell, std::string_view column);

/// Where a given number of jobs is so few relaxation times that the start biases a relative target
/// by more than it may, or where there is no target one of 5 %, as far as the load is known as a
/// part of the maximal one: by theory, by its placing or by the threshold of a search by response
/// time. A relaxation time is (1 + c²)/(2 (1 − load)²) jobs, c the coefficient of variation of
/// work, from the first 4,096 jobs. One text for all such cells, of that which needs most jobs;
/// empty: none. As many are enough for all of them, and for what the run will show of the start
/// (app/campaign/plan/lengthening.hpp).
std::vector<std::string> short_run_warnings(const Plan& plan);

}  // namespace schedfarm::app
