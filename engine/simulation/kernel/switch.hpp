// One switch of the machine: the jobs that leave their processors and then those that come onto
// some, carried out together (Actions::carry_out()). A policy keeps one object and fills it anew
// whenever jobs take turns.
// Cost: O(1) per job and range; no allocation once the largest switch was seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/simulation/job.hpp"
#include "engine/simulation/kernel/machine.hpp"

namespace schedfarm::engine {

class Switch {
  public:
    void suspend(JobId id) { suspended_.push_back(id); }
    /// Starts or resumes a job on these processors, once all that are suspended have left theirs;
    /// it works after `delay` >= 0 (loading, say).
    void start_on(JobId id, std::span<const ProcessorRange> processors, double delay) {
        if (processors.size() == 1) {
            started_.push_back({id, processors.front(), 1, delay});
        } else {
            ranges_.insert(ranges_.end(), processors.begin(), processors.end());
            started_.push_back({id, {}, static_cast<std::uint32_t>(processors.size()), delay});
        }
    }
    void clear() {
        suspended_.clear();
        started_.clear();
        ranges_.clear();
    }

    bool empty() const { return suspended_.empty() && started_.empty(); }
    const std::vector<JobId>& suspended() const { return suspended_; }
    /// Calls `action(id, processors, delay)` of every job that is started, in their order.
    template <typename Action>
    void for_started(Action action) const {
        std::size_t first = 0;
        for (const Started& one : started_) {
            if (one.ranges == 1) {
                action(one.id, std::span(&one.range, 1), one.delay);
            } else {
                action(one.id, std::span(ranges_).subspan(first, one.ranges), one.delay);
                first += one.ranges;
            }
        }
    }

  private:
    struct Started {
        JobId id;
        ProcessorRange range;  // the only one
        std::uint32_t ranges = 0;
        double delay = 0;
    };

    std::vector<JobId> suspended_;
    std::vector<Started> started_;
    std::vector<ProcessorRange> ranges_;  // of jobs with several, one after the other
};

}  // namespace schedfarm::engine
