// Verifiers of each policy for tests: of its own rules (own_verifiers.hpp), joined to what the
// product checks itself (engine/planning/promise_verifier.hpp); and second implementations, written
// plainly, of what policies that queue and that reserve decide, which say of each instant which
// jobs should have started.
#pragma once

#include <memory>

#include "engine/planning/queue_policy.hpp"
#include "engine/simulation/policy.hpp"
#include "engine/simulation/system.hpp"
#include "engine/simulation/verifiers/schedule_verifier.hpp"

#include "policies/backfilling/reservations.hpp"

#include "tests/policies/verifiers/own_verifiers.hpp"

namespace schedfarm::tests {

/// Checks what the policy promises and its own rules; null: neither is known.
MadeVerifier make_own_verifier(
    const PolicyDescription& policy, const Parameters& parameters, const PolicyContext& context
);

/// The second implementation of a policy; null: none. Of a composition: with those of the policies
/// inside, or with their own verifiers where there is none.
std::unique_ptr<engine::ScheduleVerifier> make_plain_verifier(
    const engine::PolicyDescription& policy,
    const engine::Parameters& parameters,
    const engine::PolicyContext& context
);

/// Checks with a plain counter per job that nobody is overtaken more than max_jumps times and that
/// a scan leaves no job waiting that fits and may start (not checked for grouped requests unless
/// the head blocks: their placement may fail on more processors and succeed on fewer). Event by
/// event, exactly the jobs that fit and may start after each event start, where the placement puts
/// them then; nothing where processors go out of order: which one a job holds is decided when all
/// events have been taken. Cost: O(waiting jobs) per start and instant, or event.
std::unique_ptr<engine::ScheduleVerifier> make_plain_queue_verifier(
    const engine::QueueSettings& settings,
    engine::QueueKey key,
    const engine::SystemDescription& system
);

/// Keeps the plan once more as a plain list, checks that the same jobs start, and that none starts
/// later than its first reservation, unless processors change. Checks no more once a job ran longer
/// than planned or for ever, or its request is not total. Cost: O(waiting × n log n) per instant;
/// where processors change, times them and the outages.
std::unique_ptr<engine::ScheduleVerifier> make_reservation_verifier(
    const policies::ReservationSettings& settings, const engine::SystemDescription& system
);

}  // namespace schedfarm::tests
