// The jobs of a log as a campaign asks for them. A campaign uses one log in many cells and
// replications, so the last few are kept; what is kept never changes a result, because its key
// holds the settings and the file's place, size and time.
#pragma once

#include <memory>

#include "models/trace/job_list.hpp"
#include "models/trace/trace_settings.hpp"

namespace schedfarm::models::trace {

struct PreparedLog {
    JobList jobs;
    double week_start = 0;  ///< a Monday 00:00 of the log; without a clock its first submit
    std::uint32_t max_size = 0;
    double offered_area_per_s = 0;  ///< processors in use on average: the load; 0: not known
};

/// Throws LogError: no such file, no log, another sha256, a date without a clock, no jobs kept, too
/// short for the resampling. May be called from several threads.
std::shared_ptr<const PreparedLog> prepared_log(const TraceSettings& settings);

}  // namespace schedfarm::models::trace
