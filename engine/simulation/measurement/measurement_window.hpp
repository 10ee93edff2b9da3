// The window of time averages, found before a replication runs by reading the submit times of a
// second workload object that is built alike.
#pragma once

#include "engine/simulation/experiment.hpp"
#include "engine/simulation/measurement/probe.hpp"
#include "engine/simulation/workload_model.hpp"

namespace schedfarm::engine {

/// Whether `Experiment::window` must be set: a time average over arriving jobs is asked for.
bool needs_window(const ProbeSet& probes, const Experiment& experiment);

/// Submission of job number horizon.warm_up_jobs and of job number horizon.jobs − 1. Reads the
/// workload, which is spent afterwards. Cost: drawing the jobs once more.
MeasurementWindow measurement_window(WorkloadModel& workload, const Horizon& horizon);

}  // namespace schedfarm::engine
