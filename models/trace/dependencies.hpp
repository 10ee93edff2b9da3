// Which jobs of a log arrive when others end: fields 17 and 18 of the Standard Workload Format, and
// what command lines say (Log::row_dependencies); and which tasks were kept back by the limit of
// their array. By row of the log. A pure function of the log.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <vector>

#include "models/trace/job_list.hpp"
#include "models/trace/log.hpp"
#include "models/trace/selection.hpp"

namespace schedfarm::models::trace {

enum class DependencyRule : std::uint8_t {
    keep,
    ignore,  ///< every job arrives at its submit time
};

inline constexpr std::uint32_t no_row = std::numeric_limits<std::uint32_t>::max();

struct Dependencies {
    std::vector<std::uint32_t> preceding;  ///< row; no_row: none. Empty: no job follows another
    std::vector<double> think_time;        ///< likewise; below 0: not known
    std::vector<RowDependency> further;    ///< of jobs that are kept, sorted
    /// So long ahead of its arrival in the list a job could have come: but for those that it waits
    /// for, and but for the limit of its array. Empty: none could.
    std::vector<double> earlier;
    std::vector<double> earlier_task;
    bool empty() const { return preceding.empty() && further.empty() && earlier_task.empty(); }
    std::uint64_t absent = 0;  ///< jobs whose preceding job is none that is kept, or that follow
                               ///< themselves: they arrive at their submit times
};

/// `jobs`: those that are kept; `arrival`: how they come.
Dependencies dependencies_of(
    const Log& log, const JobList& jobs, ArrivalRule arrival = ArrivalRule::eligible
);

/// When the first task of an array was eligible whose tasks are limited, by array.
std::map<std::int32_t, double> first_of_limited_arrays(const Log& log);

}  // namespace schedfarm::models::trace
