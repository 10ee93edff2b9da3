// How much memory each job occupies on each processor, running or not. Every processor keeps a
// short list of (job, amount) pairs; setting an amount costs O(jobs resident there).
#pragma once

#include <vector>

#include "engine/simulation/job.hpp"
#include "engine/simulation/kernel/machine.hpp"

namespace schedfarm::engine {

class ResidentMemory {
  public:
    ResidentMemory(std::uint32_t processors, double capacity_per_processor);

    /// Replaces what the job occupies on each of the processors. Throws ContractViolation where the
    /// processors' capacity would be exceeded.
    void set(JobId id, const ProcessorRange& range, double amount_per_processor);
    /// The job occupies nothing any more.
    void release(JobId id);

  private:
    struct Share {
        JobId id;
        double amount = 0;
    };

    void set(JobId id, std::uint32_t processor, double amount);

    double capacity_;
    std::vector<std::vector<Share>> by_processor_;
    std::vector<std::vector<std::uint32_t>> by_job_;  // processors on which each job has a share
};

}  // namespace schedfarm::engine
