// What a kind of experiment is: its words, how its jobs come, its columns, and how it drives the
// kernel (simulator.hpp says in words). A new kind is one object more.
#pragma once

#include <span>
#include <vector>

#include "engine/simulation/experiment.hpp"
#include "engine/simulation/kernel/simulator.hpp"
#include "engine/simulation/measurement/observations.hpp"

namespace schedfarm::engine {

/// What simulate() was given.
struct Replication {
    const SimulationSetup& setup;
    WorkloadModel& workload;
    Policy& policy;
    std::span<ScheduleVerifier* const> verifiers;
};

/// Runs a replication through the general kernel.
using Drive = Observations(const Replication&);

struct ExperimentFacts {
    const char* name;
    const char* summary;
    bool has_time = true;
    bool has_arrivals = false;
    bool is_open = false;
    bool keeps_backlog = false;
    bool starts_with_all = false;
    /// The columns that it has whatever is requested.
    std::vector<ObservationColumn> (*base_columns)(const Experiment&);
    Drive* simulate;  ///< null: without time, engine/planning/bin_filling.hpp
};

Drive simulate_arrivals;
Drive simulate_offline;
Drive simulate_saturated;

}  // namespace schedfarm::engine
