// What `schedfarm simulate` says of a simulation: for people in lines of at most 80 columns, as
// JSON with every digit, and job by job as CSV. Pure functions.
#pragma once

#include <string>

#include "campaigns/simulate/schedule_summary.hpp"
#include "campaigns/simulate/simulate.hpp"

namespace schedfarm::campaigns {

std::string simulation_text(const Simulation& simulation, const ScheduleSummary& summary);

/// One object; numbers that do not exist (an infinite slowdown) are null.
std::string simulation_json(const Simulation& simulation, const ScheduleSummary& summary);

/// The header "job,submit,start,finish,processors" and a line per job in the order of the jobs.
/// Whole numbers have no decimals, others as many as they need to be read back.
std::string jobs_csv(const Simulation& simulation);

}  // namespace schedfarm::campaigns
