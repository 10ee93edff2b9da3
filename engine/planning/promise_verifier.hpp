// Holds a policy to the starts that it promises (engine::Promise): a job starts no later, and no
// earlier, than it was promised, and a promise is only ever replaced by an earlier start. So
// reservations are never delayed, fixed starts are kept, and under EASY nothing delays the head.
//
// A job that runs longer than planned excuses the policy: promises count that were made after its
// end. A job that is taken back, and handed down again, begins anew. Nothing is checked where
// processors change, nor any more once a request is not total: its components may lack room.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/planning/planning_options.hpp"
#include "engine/simulation/system.hpp"
#include "engine/simulation/verifiers/schedule_verifier.hpp"

namespace schedfarm::engine {

/// Whether a promise may be taken back: where a job that comes ahead may take a reservation over.
enum class Retraction : std::uint8_t { forbidden, allowed };

/// `run_time`: that by which the policy plans. Cost: O(1) per step.
std::unique_ptr<ScheduleVerifier> make_promise_verifier(
    RunTime run_time, const SystemDescription& system, Retraction retraction = Retraction::forbidden
);

}  // namespace schedfarm::engine
