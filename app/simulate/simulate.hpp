// One replication of one cell without a campaign's file: the jobs of a log or of a model, one
// policy, what became of each job. No MPI, no files but the log.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/simulation/logs/job_log.hpp"
#include "engine/simulation/logs/segment_log.hpp"
#include "engine/simulation/measurement/observations.hpp"

#include "app/run/replication.hpp"
#include "app/simulate/job_source.hpp"
#include "app/simulate/request.hpp"

namespace schedfarm::app {

/// What the policy tells of itself, such as reservations that it refused.
struct PublishedValue {
    std::string name;
    std::string unit;
    double value = 0;
};

struct Simulation {
    Cell cell;
    std::shared_ptr<const NamedPolicy> policy;
    engine::PolicyTraits traits;  ///< of the policy
    bool is_in_seconds = false;
    engine::ExperimentKind experiment = engine::ExperimentKind::trace;  ///< of the model
    JobSource source;
    engine::JobLog log;
    std::uint64_t fingerprint = 0;
    std::vector<PublishedValue> published;
    /// Of a whole log at its own load and machine: its waits beside those of the schedule.
    std::vector<engine::GroupAgreement> logged_waits;
};

/// Told now and then how many jobs have come, of how many.
using ArrivalsWatch = std::function<void(std::uint64_t jobs, std::uint64_t of)>;

/// Told the policy before anything of it runs.
using PolicyWatch = std::function<void(const engine::Choice& policy)>;

/// Throws what open_cell() throws, ConfigErrors, and ScheduleError where a verifier objects. Where
/// jobs may pause and a segment log is given, it is filled, by the general kernel.
Simulation simulate(
    const SimulationRequest& request,
    SimulatorChoice kernel,
    engine::SegmentLog* segments = nullptr,
    const ArrivalsWatch& watch = nullptr,
    const PolicyWatch& before_start = nullptr
);

}  // namespace schedfarm::app
