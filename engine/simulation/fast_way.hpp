// A second, much faster implementation of a whole experiment for one policy, chosen automatically
// where it applies. It must give the same observations as the general kernel, to the bit; the
// contract test `fast_way_test` compares the two over random workloads.
#pragma once

#include "engine/simulation/experiment.hpp"
#include "engine/simulation/observations.hpp"
#include "engine/simulation/probe.hpp"
#include "engine/simulation/workload_model.hpp"

namespace schedfarm::engine {

class FastWay {
  public:
    FastWay() = default;
    FastWay(const FastWay&) = delete;
    FastWay& operator=(const FastWay&) = delete;
    virtual ~FastWay() = default;

    virtual Observations run(
        const Experiment& experiment, const ProbeSet& probes, WorkloadModel& workload
    ) = 0;
};

}  // namespace schedfarm::engine
