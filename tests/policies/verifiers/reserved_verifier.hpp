// The invariants of policies for moldable jobs where some jobs are advance reservations, checked on
// the schedule alone when it is over. A reservation is taken if and only if its processors are free
// for its whole time beside the jobs of the batch that runs when it is submitted and the
// reservations taken before; it then begins at its time. All else comes in batches
// (policies/moldable/moldable_verifier.hpp), and no job of a list starts later than the plan's
// rules allow beside the reservations known when its batch began. Checks nothing but allotments
// where requests have components or processors change.
#pragma once

#include <memory>

#include "engine/simulation/system.hpp"
#include "engine/simulation/verifiers/schedule_verifier.hpp"

#include "tests/policies/verifiers/moldable_verifier.hpp"

namespace schedfarm::tests {

/// Cost: O(jobs of a batch × (reservations + jobs of a batch)) for each batch, times the jobs of a
/// batch for MoldableStarts::without_gaps; memory O(jobs).
std::unique_ptr<engine::ScheduleVerifier> make_reserved_verifier(
    const MoldableInvariants& invariants, const engine::SystemDescription& system
);

}  // namespace schedfarm::tests
