// The colours of a chart of jobs, told apart by readers with any kind of colour vision: P. Tol,
// "Colour schemes" (SRON/EPS/TN/09-002, issue 3.2, 2021), "light" for what has no order, "YlOrBr"
// for what has one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "campaigns/report/drawing.hpp"
#include "campaigns/report/job_schedule.hpp"

namespace schedfarm::campaigns {

/// By job and user: a hash of the number, so that it never changes; by size and wait: in classes.
enum class JobColouring : std::uint8_t { job, user, size, wait };

/// The colour of every job as an index, and what the colours mean.
struct JobColours {
    std::vector<Colour> palette;       ///< running; as many paler ones follow: loading
    std::vector<std::string> meaning;  ///< of the first colours; empty: nothing but "another job"
    std::vector<std::uint8_t> of_job;  ///< index in `palette`

    /// Of a segment: a paler one while its job is loading.
    std::size_t of(const JobSegment& segment) const;
};

JobColours job_colours(const JobSchedule& schedule, JobColouring colouring);

/// Black or white, whichever is easier to read on that colour.
Colour readable_on(Colour colour);

}  // namespace schedfarm::campaigns
