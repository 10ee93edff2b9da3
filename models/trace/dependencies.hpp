// Which jobs of a log arrive when others end: fields 17 and 18 of the Standard Workload Format, by
// row of the log. A pure function of the log.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "models/trace/job_list.hpp"
#include "models/trace/log.hpp"

namespace schedfarm::models::trace {

enum class DependencyRule : std::uint8_t {
    keep,
    ignore,  ///< every job arrives at its submit time
};

inline constexpr std::uint32_t no_row = std::numeric_limits<std::uint32_t>::max();

struct Dependencies {
    std::vector<std::uint32_t> preceding;  ///< row; no_row: none. Empty: no job follows another
    std::vector<double> think_time;        ///< likewise; below 0: not known
    std::uint64_t absent = 0;  ///< jobs whose preceding job is none that is kept, or that follow
                               ///< themselves: they arrive at their submit times
};

/// `jobs`: those that are kept.
Dependencies dependencies_of(const Log& log, const JobList& jobs);

}  // namespace schedfarm::models::trace
