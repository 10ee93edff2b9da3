// Turns finished (or, for policies without preemption, started) jobs into the observations of one
// replication. The general kernel and the fast ways feed the same recorder in the same order, which
// is what makes their results equal to the bit.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/simulation/experiment.hpp"
#include "engine/simulation/observations.hpp"
#include "engine/simulation/probe.hpp"
#include "engine/simulation/system.hpp"

namespace schedfarm::engine {

class WorkloadModel;

/// One job's way through the system.
struct JobRecord {
    std::uint64_t index = 0;
    double submit_time = 0;
    double start_time = 0;
    double finish_time = 0;
    double service_time = 0;
    std::uint32_t size = 0;
    std::uint32_t job_class = 0;
};

/// The instants between which time averages are taken: submission of the first measured job and of
/// the last job.
struct MeasurementWindow {
    double begin = 0;
    double end = 0;
};

}  // namespace schedfarm::engine
