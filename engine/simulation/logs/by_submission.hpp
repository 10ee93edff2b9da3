// The rows of a job log in the order of submission, which is not that of the indices where jobs
// arrive when others end. Pure.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/simulation/logs/job_log.hpp"

namespace schedfarm::engine {

/// Those of one instant by index.
std::vector<std::size_t> rows_by_submission(const JobLog& log);

/// These rows in this order.
JobLog picked(const JobLog& log, const std::vector<std::size_t>& rows);

}  // namespace schedfarm::engine
