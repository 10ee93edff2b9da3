// What `schedfarm simulate --instance` says of the schedule of a task table: both criteria, lower
// bounds, and when each task ran. Pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "policies/moldable/pareto_front.hpp"

#include "app/report/wrapped_text.hpp"
#include "app/simulate/simulate.hpp"

namespace schedfarm::app {

/// The criteria of a schedule and what no schedule goes below; `minsum` is Σ weight · finish.
struct TaskScheduleSummary {
    double makespan = 0;
    double minsum = 0;
    double lambda = 0;          ///< λ*, the least guess that the dual approximation accepts
    double makespan_bound = 0;  ///< λ* for monotone tasks, within 1e-9; at most λ*
    double printed = 0;         ///< linear program as Dutot et al. 2004 print it; no bound
    double safe = 0;
    double refined = 0;
    std::vector<policies::FrontPoint> front;  ///< by growing makespan; empty: not asked for
};

/// REQUIRES: a simulation of a task table.
TaskScheduleSummary summarise_task_schedule(const Simulation& simulation);

/// Points of makespan and minsum that no other known one beats: of a search (moldable_front.hpp)
/// and of the schedule. REQUIRES: a simulation of a task table.
std::vector<policies::FrontPoint> searched_front(
    const Simulation& simulation, const TaskScheduleSummary& reached, std::uint64_t seed
);

/// In lines of at most `width` columns, 60 at least; tasks in the order of their starts.
std::string task_schedule_text(
    const Simulation& simulation,
    const TaskScheduleSummary& summary,
    std::size_t width = terminal_width
);

/// One object; tasks in the order of the table.
std::string task_schedule_json(const Simulation& simulation, const TaskScheduleSummary& summary);

}  // namespace schedfarm::app
