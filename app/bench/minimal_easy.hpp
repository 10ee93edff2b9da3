// A hand-written loop for textbook EASY backfilling on a log and nothing else, as in
// app/bench/minimal_loops.hpp: a reference of `schedfarm bench`.
#pragma once

#include <cstdint>

#include "models/trace/job_list.hpp"

namespace schedfarm::app {

/// Mean response time. REQUIRES: jobs, none larger than the machine or longer than requested.
double minimal_easy(const models::trace::JobList& jobs, std::uint32_t processors);

}  // namespace schedfarm::app
