// Plain second implementations of what the gang scheduling policies decide, as verifiers: they walk
// the slices beside a schedule and say which jobs must run in each, and what they pay.
#pragma once

#include <memory>

#include "engine/simulation/policy.hpp"
#include "engine/simulation/verifiers/schedule_verifier.hpp"

#include "policies/gang/bound_gang.hpp"
#include "policies/gang/matrix_gang.hpp"
#include "policies/gang/migration_gang.hpp"
#include "policies/gang/push_down_gang.hpp"
#include "policies/gang/tree_packing.hpp"

namespace schedfarm::tests {

/// That of the policy under these parameters, which must be complete; null where there is none.
std::unique_ptr<engine::ScheduleVerifier> make_plain_gang_verifier(
    const engine::PolicyDescription& policy,
    const engine::Parameters& given,
    const engine::SystemDescription& system
);

/// Walks the rows: the running jobs are those of the row whose turn it is, all of them, from the
/// start of its slice to its end.
std::unique_ptr<engine::ScheduleVerifier> make_vanilla_verifier(
    const policies::BoundGangSettings& settings, const engine::BuddyTrees& trees
);

/// Walks the rotation of each tree: the jobs of its slice's class and of those that may fill run
/// where their processors are idle, in this order, and no others, from the start of the slice to
/// its end; and jobs of the root class are alone.
std::unique_ptr<engine::ScheduleVerifier> make_push_down_verifier(
    const policies::BoundGangSettings& settings,
    policies::RootSlice root_slice,
    const engine::BuddyTrees& trees
);

/// Checks at the start of every slice that the jobs that run are those that the rule names, and
/// that no slice is left out, work begins after its switch and none crosses its end; and what holds
/// for all gang scheduling (policies/gang/gang_verifier.hpp). Cost: O(jobs²) per slice.
std::unique_ptr<engine::ScheduleVerifier> make_migration_verifier(
    const policies::GangSettings& settings,
    policies::FillOrder order,
    const engine::BuddyTrees& trees
);

/// Keeps the matrix itself, cell by cell, and checks after every instant that the jobs that run
/// are those that the rule names, on the processors that it gives them; that a stretch pays for
/// what is left of the switch; and that the service received is the service required.
/// Cost: O(slots · processors · jobs present) per instant.
std::unique_ptr<engine::ScheduleVerifier> make_matrix_verifier(
    const policies::MatrixSettings& settings, const engine::BuddyTrees& trees
);

/// Checks in every slice that its own jobs run, that the parasites are as good a set as any and
/// stand as the rule for ties says, that the queues give what fits, the largest first; that slices
/// stand on the grid; and what holds for all jobs bound to nodes.
std::unique_ptr<engine::ScheduleVerifier> make_tree_packing_verifier(
    const policies::GangSettings& settings,
    policies::PackingTie tie,
    const engine::BuddyTrees& trees
);

}  // namespace schedfarm::tests
