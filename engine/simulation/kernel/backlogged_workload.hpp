// A workload that begins with a backlog: its first jobs are all there at time 0, the others follow
// as many units of time earlier as the last of the backlog would have come. So an open system
// starts saturated, and policies and specialised simulators see nothing but submit times. Draws,
// sizes and service times are those of the workload within.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/simulation/dependent_workload.hpp"

namespace schedfarm::engine {

class BackloggedWorkload final : public VersionOfWorkload {
  public:
    /// Submit times of jobs 0 … backlog − 1 become 0, that of a later job j becomes submit_j −
    /// submit_(backlog − 1). REQUIRES: backlog > 0.
    BackloggedWorkload(std::unique_ptr<WorkloadModel> workload, std::uint64_t backlog);

    const WorkloadTraits& traits() const override { return workload_->traits(); }
    void next(JobBlock& block) override;

  private:
    std::unique_ptr<WorkloadModel> workload_;
    std::uint64_t backlog_;
    double shift_ = 0;  // submission of the last job of the backlog
};

}  // namespace schedfarm::engine
