// What `schedfarm simulate` says of a simulation: for people in lines of at most so many columns,
// as JSON with every digit, and job by job as CSV. Pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/report/wrapped_text.hpp"
#include "app/simulate/schedule_summary.hpp"
#include "app/simulate/simulate.hpp"

namespace schedfarm::app {

/// REQUIRES: width >= 60.
std::string simulation_text(
    const Simulation& simulation, const ScheduleSummary& summary, std::size_t width = terminal_width
);

/// One object; numbers that do not exist (an infinite slowdown) are null.
std::string simulation_json(const Simulation& simulation, const ScheduleSummary& summary);

/// Whether a line says which processors its job held, as "0-3 7": at each start the lowest free
/// ones. Where jobs pause, a line is a segment then, on the processors that the policy named.
enum class JobColumns : std::uint8_t { usual, with_ranges };

/// The header "job,submit,start,finish,processors[,ranges]" and a line per job in the order of the
/// jobs. Whole numbers have no decimals, others as many as they need to be read back. REQUIRES:
/// with ranges there is one cluster, and jobs do not pause.
std::string jobs_csv(const Simulation& simulation, JobColumns columns = JobColumns::usual);

/// The same columns, with ranges, for jobs that pause: a line per segment, in the order of their
/// ends. REQUIRES: every segment names its processors.
std::string segments_csv(
    const Simulation& simulation, const std::vector<engine::RunSegment>& segments
);

}  // namespace schedfarm::app
