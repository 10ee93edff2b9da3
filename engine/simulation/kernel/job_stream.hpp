// The jobs of a workload one by one, over the blocks in which the model draws them.
#pragma once

#include <cstddef>

#include "engine/simulation/workload_model.hpp"

namespace schedfarm::engine {

/// Draws the jobs that follow those of `block` into it; false where there are no more. Throws
/// ContractViolation where a job was left out or repeated.
bool draw_more(WorkloadModel& workload, JobBlock& block);

class JobStream {
  public:
    explicit JobStream(WorkloadModel& workload) : workload_(workload) {}

    /// Whether the workload has a further job.
    bool has_next() {
        if (position_ == block_.count && !is_over_) {
            is_over_ = !draw_more(workload_, block_);
            position_ = 0;
        }
        return !is_over_;
    }
    /// Submit time of the next job. Both throw ContractViolation if the workload has no more.
    double next_submit() {
        if (position_ == block_.count) {
            refill();
        }
        return block_.submit_time[position_];
    }
    /// The next job; its components are valid until the next call.
    Job take() {
        if (position_ == block_.count) {
            refill();
        }
        return block_.job(position_++);
    }

  private:
    void refill() {
        draw_next(workload_, block_);
        position_ = 0;
    }

    WorkloadModel& workload_;
    JobBlock block_;
    std::size_t position_ = 0;
    bool is_over_ = false;
};

}  // namespace schedfarm::engine
