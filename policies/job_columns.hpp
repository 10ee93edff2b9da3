// What the specialised simulators read and keep: the columns of a workload block by block, the jobs
// of them that arrive, and the running jobs in order of their finish.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "engine/simulation/kernel/run_end.hpp"
#include "engine/simulation/measurement/recorder.hpp"
#include "engine/simulation/system.hpp"
#include "engine/simulation/workload_model.hpp"

namespace schedfarm::policies {

/// The processors of the system never change, are no more than `most_processors` and suffice for
/// the largest job, no job has a fixed start, and none arrives when another ends.
bool is_plain(
    const engine::SystemDescription& system,
    const engine::WorkloadModel& workload,
    std::uint32_t most_processors
);

/// For the cost of a start among RunningJobs.
inline constexpr std::uint32_t most_running = 1024;

/// The jobs of a workload block by block, without the cost of making a Job.
class JobColumns {
  public:
    /// `capacity`: processors that a job may ask for at most.
    JobColumns(engine::WorkloadModel& workload, std::uint32_t capacity)
        : workload_(workload), capacity_(capacity) {}

    /// Moves to the next block and gives its number of jobs, at least 1 and at most
    /// JobBlock::capacity. Throws ContractViolation when there is none or a job in it cannot be
    /// served.
    std::size_t next_block();
    /// Likewise; false where there is none.
    bool next_block_if_any();
    std::size_t count() const { return block_.count; }

    const double* service_times() const { return service_; }
    const std::uint32_t* sizes() const { return block_.size.data(); }

    // Of job i of the block.
    std::uint64_t index(std::size_t i) const { return block_.first_index + i; }
    double submit_time(std::size_t i) const { return block_.submit_time[i]; }
    double service_time(std::size_t i) const { return service_[i]; }
    std::uint32_t size(std::size_t i) const { return block_.size[i]; }
    double estimate(std::size_t i) const {
        return block_.estimate.empty() ? service_[i] : block_.estimate[i];
    }
    /// What a Placer must know of the job, and nothing else.
    engine::Job request(std::size_t i) const {
        engine::Job job;
        job.size = size(i);
        job.structure = block_.structure;
        job.components = block_.components.empty()
                             ? std::span(&block_.size[i], 1)
                             : std::span(block_.components)
                                   .subspan(i * block_.component_stride, block_.component_stride);
        return job;
    }
    /// Submit, start and finish are left to the caller.
    engine::JobRecord record(std::size_t i) const {
        engine::JobRecord record;
        record.index = index(i);
        record.service_time = service_time(i);
        record.size = size(i);
        if (!block_.job_class.empty()) {
            record.job_class = block_.job_class[i];
        }
        if (!block_.weight.empty()) {
            record.weight = block_.weight[i];
        }
        return record;
    }

  private:
    void prepare_block();
    void choose_service();
    bool can_be_served() const;

    engine::WorkloadModel& workload_;
    std::uint32_t capacity_;
    engine::JobBlock block_;
    const double* service_ = nullptr;
    std::vector<double> chosen_service_;  // moldable jobs, on the processors asked for
};

/// The jobs in the order of their arrival, as long as some come.
class ArrivingJobs {
  public:
    /// Goes to the first. `jobs` must outlive the object.
    ArrivingJobs(JobColumns& jobs, const engine::RunEnd& end) : jobs_(jobs), end_(end) {
        find_next();
    }

    /// Infinity when no more come.
    double next_submit() const { return next_submit_; }
    /// Of the job that comes next, in its block.
    std::size_t place() const { return place_; }
    std::uint64_t joined() const { return joined_; }
    /// As RunEnd::is_too_much().
    bool are_too_many(std::uint64_t waiting) const { return end_.is_too_much(joined_, waiting); }

    /// The job has joined; goes to the one after it.
    void join() {
        ++joined_;
        ++place_;
        find_next();
    }

  private:
    void find_next() {
        if (end_.admits_more(joined_) && (place_ < jobs_.count() || has_further_block())) {
            next_submit_ = jobs_.submit_time(place_);
        } else {
            next_submit_ = std::numeric_limits<double>::infinity();
        }
    }
    bool has_further_block() {
        place_ = 0;
        return end_.needs_more(joined_) ? jobs_.next_block() > 0 : jobs_.next_block_if_any();
    }

    JobColumns& jobs_;
    engine::RunEnd end_;
    std::size_t place_ = 0;
    double next_submit_ = 0;
    std::uint64_t joined_ = 0;
};

/// Jobs that run, by finish time; `Held` is what they give back. Cost: O(running jobs) per start,
/// with a small constant; O(1) per end.
template <typename Held>
class RunningJobs {
  public:
    /// REQUIRES: never more than `most` jobs run.
    explicit RunningJobs(std::size_t most) : jobs_(few + 1 + most), last_(jobs_.data() + few) {}
    RunningJobs(const RunningJobs&) = delete;
    RunningJobs& operator=(const RunningJobs&) = delete;
    ~RunningJobs() = default;

    /// Infinity when nothing runs.
    double next_finish() const { return last_->finish; }

    /// Ends the job that finishes next. REQUIRES: one runs.
    Held pop() { return (last_--)->held; }

    void add(double finish, Held held) {
        // Which of the next few end before it no branch predictor knows: they are swapped without.
        Running job{finish, held};
        Running* at = ++last_;
        for (std::size_t k = 0; k < few; ++k, --at) {
            const Running other = at[-1];
            const Held all_bits = Held{0} - static_cast<Held>(other.finish < job.finish);
            const Held swapped = (other.held ^ job.held) & all_bits;
            *at = {std::min(other.finish, job.finish), job.held ^ swapped};
            job = {std::max(other.finish, job.finish), other.held ^ swapped};
        }
        for (; at[-1].finish < job.finish; --at) {
            *at = at[-1];
        }
        *at = job;
    }

  private:
    struct Running {
        double finish = std::numeric_limits<double>::infinity();
        Held held{};
    };
    static constexpr std::size_t few = 3;

    std::vector<Running> jobs_;  // first to finish last, behind some that never finish
    Running* last_;
};

}  // namespace schedfarm::policies
