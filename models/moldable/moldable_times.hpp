// The processing times of a workload's moldable jobs. They stay where they are until the workload
// goes, for a job may leave the system late: 8 bytes per job and processor.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "engine/simulation/job.hpp"

namespace schedfarm::models {

class MoldableTimesStore {
  public:
    /// The job's times on 1, 2, … processors are time · factors[k − 1] / factors[base − 1], so that
    /// `time` is that on `base` processors. REQUIRES: time >= 0; positive factors.
    /// Throws ContractViolation where more processors make the job slower or its work less.
    const engine::MoldableTimes* add(
        double time, std::span<const double> factors, std::uint32_t base = 1
    );

  private:
    struct Entry {
        std::vector<double> times;
        engine::MoldableTimes moldable;
    };
    std::deque<Entry> entries_;
};

}  // namespace schedfarm::models
