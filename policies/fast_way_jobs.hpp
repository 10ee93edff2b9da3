// What the fast ways read and keep: the columns of a workload block by block, and the running jobs
// in order of their finish.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "engine/simulation/policy.hpp"
#include "engine/simulation/recorder.hpp"
#include "engine/simulation/workload_model.hpp"

namespace schedfarm::policies {

/// The processors of the system never change, are few enough for RunningJobs, and suffice for the
/// largest job.
bool is_served_by_fast_ways(const engine::FastWayContext& context);

/// The jobs of a workload one after the other, without the cost of making a Job.
class JobColumns {
  public:
    /// `capacity`: processors that a job may ask for at most.
    JobColumns(engine::WorkloadModel& workload, std::uint32_t capacity)
        : workload_(workload), capacity_(capacity) {}

    /// Moves to the next job; throws ContractViolation when there is none or it cannot be served.
    void advance() {
        if (++at_ >= block_.count) [[unlikely]] {
            refill();
        }
    }

    // Of the current job; the columns that a model leaves out cost one comparison.
    std::uint64_t index() const { return block_.first_index + at_; }
    double submit_time() const { return block_.submit_time[at_]; }
    double service_time() const { return service_[at_]; }
    std::uint32_t size() const { return block_.size[at_]; }
    engine::Job job() const { return block_.job(at_); }
    /// Submit, start and finish are left to the caller.
    engine::JobRecord record() const {
        engine::JobRecord record;
        record.index = index();
        record.service_time = service_time();
        record.size = size();
        if (!block_.job_class.empty()) {
            record.job_class = block_.job_class[at_];
        }
        if (!block_.weight.empty()) {
            record.weight = block_.weight[at_];
        }
        return record;
    }

  private:
    void refill();

    engine::WorkloadModel& workload_;
    std::uint32_t capacity_;
    engine::JobBlock block_;
    const double* service_ = nullptr;
    std::vector<double> chosen_service_;  // moldable jobs, on the processors asked for
    std::size_t at_ = 0;
};

/// Jobs that run, by finish time; `Held` is what they give back. Cost: O(running jobs) per start,
/// with a small constant; O(1) per end.
template <typename Held>
class RunningJobs {
  public:
    /// REQUIRES: never more than `most` jobs run.
    explicit RunningJobs(std::size_t most) : jobs_(most + 2), last_(jobs_.data()) {
        last_->finish = std::numeric_limits<double>::infinity();  // a sentinel below all jobs
    }
    RunningJobs(const RunningJobs&) = delete;
    RunningJobs& operator=(const RunningJobs&) = delete;
    ~RunningJobs() = default;

    /// Infinity when nothing runs.
    double next_finish() const { return last_->finish; }

    /// Ends the job that finishes next. REQUIRES: one runs.
    Held pop() { return (last_--)->held; }

    void add(double finish, Held held) {
        Running* at = last_++;
        for (; at->finish < finish; --at) {
            at[1] = at[0];
        }
        at[1] = {finish, held};
    }

  private:
    struct Running {
        double finish = 0;
        Held held{};
    };

    std::vector<Running> jobs_;  // first to finish last
    Running* last_;
};

}  // namespace schedfarm::policies
