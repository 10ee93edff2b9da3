// Queues of one server beside a simulation, under the same random numbers: the twins of a cell,
// whose mean waits are known. They cost a few nanoseconds per job, since no job is drawn again.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/foundation/cpu_dispatch.hpp"
#include "engine/simulation/dependent_workload.hpp"
#include "engine/simulation/experiment.hpp"

namespace schedfarm::engine {

/// Queues of one server at each load, from empty, first come first served, that serve the jobs of a
/// workload while a simulator draws them. Lindley: W' = max(0, W + x − a), x the work of the job in
/// means of it, a the time to the next arrival times the arrival rate over the load. O(jobs ·
/// loads).
class TwinQueues final : private VersionOfWorkload {
  public:
    /// Keeps the reference. REQUIRES: traits with all three means; at most four loads.
    TwinQueues(WorkloadModel& jobs, const Horizon& horizon, std::vector<double> loads);

    /// The jobs to simulate; the workload itself where there are no twins.
    WorkloadModel& jobs();
    /// Of the jobs measured, in mean service times. REQUIRES: all jobs of the horizon were drawn.
    std::vector<double> mean_waits() const;
    std::size_t count() const { return loads_.size(); }

  private:
    static constexpr std::size_t most = 4;
    using Pair = Doubles<16>::Lanes;  // the narrowest register of vectors
    using Each = std::array<Pair, most / 2>;

    const WorkloadTraits& traits() const override { return jobs_.traits(); }
    void next(JobBlock& block) override;
    void serve(const JobBlock& block, std::size_t first, std::size_t end, double counts);

    WorkloadModel& jobs_;
    Horizon horizon_;
    std::vector<double> loads_;
    Each rate_{};
    double per_work_ = 0;
    std::uint64_t seen_ = 0;
    Each wait_{};
    Each sum_{};
    double last_submit_ = 0;
    double last_work_ = 0;
};

}  // namespace schedfarm::engine
