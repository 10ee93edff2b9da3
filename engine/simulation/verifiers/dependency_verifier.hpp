// Checks when jobs arrive: at their submit time, or when the job that they follow has ended, as
// engine/simulation/kernel/dependent_jobs.hpp says. Knows the jobs from a workload of its own.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/simulation/dependent_workload.hpp"
#include "engine/simulation/policy.hpp"
#include "engine/simulation/verifiers/schedule_verifier.hpp"
#include "engine/simulation/workload_model.hpp"

namespace schedfarm::engine {

/// For open and trace experiments. `workload`: made as that of the run; its first `counted` jobs
/// are checked. Null where none depends on another.
std::unique_ptr<ScheduleVerifier> make_dependency_verifier(
    WorkloadModel& workload, std::uint64_t counted, const PolicyTraits& policy
);

}  // namespace schedfarm::engine
