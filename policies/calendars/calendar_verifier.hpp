// What a calendar promises: starts where slots begin, none later than promised, fixed ones at the
// promised time, and never more processors together than there are.
#pragma once

#include <memory>

#include "engine/planning/planning_options.hpp"
#include "engine/simulation/verifiers/schedule_verifier.hpp"

namespace schedfarm::policies {

/// `slot_s`: of the fundamental slot. Nothing is checked where processors change or requests are
/// not total. Cost: O(waiting and running jobs), by vectors, per promise.
std::unique_ptr<engine::ScheduleVerifier> make_calendar_verifier(
    double slot_s, engine::RunTime run_time, const engine::SystemDescription& system
);

}  // namespace schedfarm::policies
