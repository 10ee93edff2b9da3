// The jobs of a workload of which some arrive when others end, in the order of their arrival.
//
// A job may follow several others: it then arrives when the last of them has ended. One that could
// come ahead of its submit time but for these (Dependence::earlier) does not wait for that.
// Jobs that left while they waited (DependentWorkload::leaving) come and go beside them, with
// numbers above all others, where the policy gives jobs back.
//
// A job whose think time is known arrives that long after the end of its preceding job, whatever
// its own submit time; else it arrives at the later of its submit time and that end. Where the
// preceding job is none of those that are counted, it arrives at its submit time. Arrivals of one
// instant come by index. What arrives is the job with its arrival as its submit time, so that waits
// count from there. All jobs are drawn at the beginning: one submitted late may arrive early. Cost:
// O(log jobs) per job, O(jobs) memory.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "engine/simulation/dependent_workload.hpp"
#include "engine/simulation/job.hpp"
#include "engine/simulation/kernel/job_stream.hpp"
#include "engine/simulation/kernel/run_end.hpp"
#include "engine/simulation/policy.hpp"
#include "engine/simulation/submitted_request.hpp"

namespace schedfarm::engine {

class DependentJobs {
  public:
    /// `jobs`: of the workload. REQUIRES: no job depends on its own end.
    DependentJobs(
        JobStream& jobs,
        const DependentWorkload& workload,
        const RunEnd& end,
        const PolicyTraits& policy
    );

    /// Of the jobs whose arrival is known; infinity: there is none.
    double next_submit() const;
    /// REQUIRES: next_submit() is finite.
    Job take();
    /// The job with this index, which take() gave, is `id` in the system.
    void came(std::uint64_t index, JobId id);
    /// The job with this index has ended: those that follow it will arrive. One that was to leave
    /// took no processors, and is counted.
    void end(std::uint64_t index, double time);

    /// When the next job leaves that has not ended; infinity: none does.
    double next_leave();
    /// It leaves now. REQUIRES: next_leave() is finite.
    JobId take_leave();
    /// Jobs that left sooner than they do by themselves: in place of a start.
    std::uint64_t left_sooner() const { return left_sooner_; }

  private:
    using Arrival = std::pair<double, std::uint64_t>;  // time, index
    using Arrivals = std::priority_queue<Arrival, std::vector<Arrival>, std::greater<>>;
    using Follower = std::pair<std::uint64_t, std::uint64_t>;  // preceding job, index

    void add_followers(std::uint64_t index, const RunEnd& end);

    bool throttles_arrays_;
    std::vector<Job> jobs_;                 // those that leave are the last
    std::vector<Dependence> dependences_;   // of the others
    std::vector<std::uint32_t> waits_for_;  // likewise, how many jobs that have not ended
    std::vector<std::uint32_t> components_;
    std::deque<SubmittedRequest> requests_;  // of those that come at other times
    std::vector<Follower> followers_;
    Arrivals arrivals_;
    Arrivals leaves_;            // of those that are in the system
    std::vector<double> leave_;  // when, of those that leave
    std::vector<JobId> names_;   // likewise
    std::vector<bool> is_gone_;  // likewise
    std::uint64_t left_sooner_ = 0;
};

}  // namespace schedfarm::engine
