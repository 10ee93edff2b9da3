// How many processors a log itself had in use at once. Pure.
#pragma once

#include <cstdint>
#include <optional>

#include "models/trace/job_list.hpp"
#include "models/trace/log.hpp"

namespace schedfarm::models::trace {

/// The schedule that a log tells of: jobs run from submit + wait on. Of one instant, finishes come
/// before starts. Logs round times, so that a few more processors than there are, for a second, say
/// nothing; hours of it say that waits, sizes or the machine's size are not to be relied on.
struct LoggedUse {
    std::uint64_t most_processors = 0;
    double beyond_machine_s = 0;         ///< time in which more were in use than the machine has
    std::int64_t first_job_beyond = -1;  ///< the job with which that began; −1: never
};

/// Of those jobs whose wait the log gives; absent where it gives none. `machine`: processors; 0:
/// not known. Cost: O(jobs log jobs).
std::optional<LoggedUse> logged_use(const Log& log, const JobList& jobs, std::uint32_t machine);

}  // namespace schedfarm::models::trace
