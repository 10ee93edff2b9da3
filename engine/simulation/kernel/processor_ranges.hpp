// Which processors each job of a log held, for charts and for files that name them: at each start,
// in the order of starts, the lowest-numbered free processors. Most policies count processors and
// leave open which they are; this is one answer that fits their schedule, and the same from every
// implementation. A pure function of the log.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/simulation/kernel/machine.hpp"
#include "engine/simulation/logs/job_log.hpp"

namespace schedfarm::engine {

/// The processors of each job, as few ranges as possible, lowest first.
struct JobProcessors {
    std::vector<ProcessorRange> ranges;  ///< of all jobs, in the order of their starts
    std::vector<std::size_t> first;      ///< of job j, in `ranges`
    std::vector<std::uint32_t> count;    ///< of job j; 0: it has no record

    std::span<const ProcessorRange> of(std::size_t job) const {
        return job < first.size() ? std::span(ranges).subspan(first[job], count[job])
                                  : std::span<const ProcessorRange>();
    }
};

/// REQUIRES: jobs hold `size` processors, whichever they are, from start to finish without a break,
/// on a machine of so many (total requests, no preemption, no outages). At one instant
/// jobs without service come first, the others by index. Throws ContractViolation where more are
/// held than there are. Cost: O(log running + processors / 64 + ranges) per job beside a sort.
JobProcessors lowest_free_processors(const JobLog& log, std::uint32_t processors);

}  // namespace schedfarm::engine
