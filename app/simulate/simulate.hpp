// One simulation without a campaign: the jobs of a log or of a model, one policy, what became of
// each job. No MPI, no files but the log.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/simulation/logs/job_log.hpp"
#include "engine/simulation/logs/segment_log.hpp"
#include "engine/simulation/measurement/observations.hpp"
#include "engine/simulation/system.hpp"

#include "app/simulate/job_source.hpp"
#include "app/simulate/request.hpp"

namespace schedfarm::app {

/// Which implementation simulates; all give the same bits.
enum class Implementation : std::uint8_t {
    fastest,   ///< the policy's specialised simulator where it has one, else the general kernel
    general,   ///< the general kernel
    verified,  ///< the general kernel under every verifier
};

/// What the policy tells of itself, such as reservations that it refused.
struct PublishedValue {
    std::string name;
    std::string unit;
    double value = 0;
};

struct Simulation {
    engine::SystemDescription system;
    NamedPolicy policy;
    engine::PolicyTraits traits;  ///< of the policy
    JobSource source;             ///< its workload is spent
    engine::JobLog log;
    std::uint64_t fingerprint = 0;
    std::vector<PublishedValue> published;
    /// Of a whole log at its own load and machine: its waits beside those of the schedule.
    std::vector<engine::GroupAgreement> logged_waits;
};

/// Told now and then how many jobs have come, of how many.
using ArrivalsWatch = std::function<void(std::uint64_t jobs, std::uint64_t of)>;

/// Throws what open_jobs() throws, ConfigErrors, and ScheduleError where a verifier objects. Where
/// jobs may pause and a segment log is given, it is filled, by the general kernel.
Simulation simulate(
    const SimulationRequest& request,
    Implementation implementation,
    engine::SegmentLog* segments = nullptr,
    const ArrivalsWatch& watch = nullptr
);

}  // namespace schedfarm::app
