// The running jobs by planned end, and what they tell a policy that reserves for one job only:
// when that job will fit, and how many processors it leaves over then.
//
// Cost: a start or a finish O(running jobs), with the constant of a memmove; a forecast O(jobs that
// end before it).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "engine/simulation/job.hpp"

namespace schedfarm::engine {

class PlannedEnds {
  public:
    /// When a job will fit, and the processors left beside it.
    struct Forecast {
        double shadow_time = std::numeric_limits<double>::infinity();
        std::int64_t extra_processors = 0;
    };

    void add(JobId id, double end, std::uint32_t size) {
        if (id.value >= ends_.size()) {
            ends_.resize(id.value + std::size_t{1});
        }
        ends_[id.value] = end;
        const auto later = std::find_if(
            running_.rbegin(), running_.rend(), [end](const Running& job) { return job.end <= end; }
        );
        running_.insert(later.base(), {end, size, id.value});
    }

    /// REQUIRES: the job was added and not removed.
    void remove(JobId id) {
        const auto first = std::lower_bound(
            running_.begin(),
            running_.end(),
            ends_[id.value],
            [](const Running& job, double end) { return job.end < end; }
        );
        running_.erase(std::find_if(first, running_.end(), [id](const Running& job) {
            return job.slot == id.value;
        }));
    }

    /// The planned end of a job that runs or was removed.
    double end_of(JobId id) const { return ends_[id.value]; }

    /// For a job of `size` when `free` processors are free at `now`. Every running job gives its
    /// processors back at its planned end, or at once where that has passed; all that end at the
    /// shadow time count. Never and nothing left over where the processors do not suffice.
    Forecast forecast(std::uint32_t size, std::int64_t free, double now) const {
        const std::int64_t needed = size;
        for (std::size_t i = 0; i < running_.size();) {
            const double end = std::max(running_[i].end, now);
            for (; i < running_.size() && running_[i].end <= end; ++i) {
                free += running_[i].size;
            }
            if (free >= needed) {
                return {end, free - needed};
            }
        }
        return {};
    }

  private:
    struct Running {
        double end;
        std::uint32_t size;
        std::uint32_t slot;
    };

    std::vector<Running> running_;  // by end
    std::vector<double> ends_;      // by slot of the job
};

}  // namespace schedfarm::engine
