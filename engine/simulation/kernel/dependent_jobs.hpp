// The jobs of a workload of which some arrive when others end, in the order of their arrival.
//
// A job whose think time is known arrives that long after the end of its preceding job, whatever
// its own submit time; else it arrives at the later of its submit time and that end. Where the
// preceding job is none of those that are counted, it arrives at its submit time. Arrivals of one
// instant come by index. What arrives is the job with its arrival as its submit time, so that waits
// count from there. All jobs are drawn at the beginning: one submitted late may arrive early. Cost:
// O(log jobs) per job, O(jobs) memory.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "engine/simulation/dependent_workload.hpp"
#include "engine/simulation/job.hpp"
#include "engine/simulation/kernel/job_stream.hpp"
#include "engine/simulation/kernel/run_end.hpp"

namespace schedfarm::engine {

class DependentJobs {
  public:
    /// `jobs`: of the workload. REQUIRES: no job depends on its own end.
    DependentJobs(JobStream& jobs, const DependentWorkload& workload, const RunEnd& end);

    /// Of the jobs whose arrival is known; infinity: there is none.
    double next_submit() const;
    /// REQUIRES: next_submit() is finite.
    Job take();
    /// The job with this index has ended: those that follow it will arrive.
    void end(std::uint64_t index, double time);

  private:
    using Arrival = std::pair<double, std::uint64_t>;  // time, index

    std::vector<Job> jobs_;
    std::vector<Dependence> dependences_;    // of jobs_
    std::vector<std::uint32_t> components_;  // of all jobs
    std::vector<std::uint64_t> followers_;   // by preceding job, then by index
    std::priority_queue<Arrival, std::vector<Arrival>, std::greater<>> arrivals_;
};

}  // namespace schedfarm::engine
