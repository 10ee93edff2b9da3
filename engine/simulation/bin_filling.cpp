#include <algorithm>
#include <array>
#include <deque>
#include <string>
#include <vector>

#include "engine/foundation/expect.hpp"
#include "engine/foundation/special_values.hpp"
#include "engine/simulation/bin_filling_recorder.hpp"
#include "engine/simulation/experiment_facts.hpp"
#include "engine/simulation/kernel.hpp"

namespace schedfarm::engine {

namespace {

// The jobs of each row in order. Rows need different numbers of jobs for as many fills, so blocks
// are kept from the hindmost row's next job to the foremost's: a few, since rows keep in step.
class RowJobs {
  public:
    explicit RowJobs(WorkloadModel& workload) : workload_(workload) {}

    Job next(std::uint64_t row) {
        const std::uint64_t index = taken_[row]++ * bin_rows + row;
        while (index >= end_) {
            add_block();
        }
        const auto after = std::upper_bound(
            blocks_.begin(),
            blocks_.end(),
            index,
            [](std::uint64_t wanted, const JobBlock& block) { return wanted < block.first_index; }
        );
        const JobBlock& block = *(after - 1);
        Job job = block.job(index - block.first_index);
        job.submit_time = 0;
        job.service_time = infinity;
        job.estimate = infinity;
        return job;
    }

  private:
    void add_block() {
        const std::uint64_t hindmost = *std::min_element(taken_.begin(), taken_.end()) * bin_rows;
        while (!blocks_.empty() && blocks_.front().first_index + blocks_.front().count <= hindmost
        ) {
            blocks_.pop_front();
        }
        workload_.next(blocks_.emplace_back());
        SCHEDFARM_EXPECT(
            blocks_.back().count > 0,
            "the workload ended after " + std::to_string(end_) + " jobs, before the last fill"
        );
        end_ = blocks_.back().first_index + blocks_.back().count;
    }

    WorkloadModel& workload_;
    std::deque<JobBlock> blocks_;
    std::array<std::uint64_t, bin_rows> taken_{};
    std::uint64_t end_ = 0;
};

// Empties the machine after a fill: the misfit runs alone, then nothing is left.
void empty(Kernel& kernel, const std::vector<JobId>& placed, JobId misfit) {
    kernel.advance_to(kernel.now() + 1);
    for (const JobId id : placed) {
        kernel.complete(id);
    }
    kernel.react();
    SCHEDFARM_EXPECT(
        kernel.state(misfit) == JobState::running,
        "the policy left job " + std::to_string(kernel.job(misfit).index)
            + " waiting in front of an empty machine"
    );
    kernel.advance_to(kernel.now() + 1);
    kernel.complete(misfit);
    kernel.react();
}

}  // namespace

Observations simulate_bin_filling(const Replication& replication) {
    const auto& [setup, workload, policy, verifiers] = replication;
    Kernel kernel(setup, workload.traits(), policy, nullptr, verifiers);
    BinFillingRecorder recorder(setup.experiment, setup.system);
    RowJobs jobs(workload);
    std::vector<JobId> placed;
    for (std::uint64_t fill = 0; fill < setup.experiment.horizon.fills; ++fill) {
        const std::uint64_t row = fill % bin_rows;
        placed.clear();
        while (true) {
            const JobId id = kernel.admit(jobs.next(row));
            kernel.react();
            if (kernel.state(id) != JobState::running) {
                recorder.add(
                    row,
                    static_cast<std::uint32_t>(placed.size()),
                    kernel.machine().free_processors()
                );
                empty(kernel, placed, id);
                break;
            }
            placed.push_back(id);
        }
    }
    kernel.finish();
    Observations result = recorder.finish();
    kernel.add_own_observations(result);
    return result;
}

}  // namespace schedfarm::engine
