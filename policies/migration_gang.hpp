// What the parts of gang scheduling with migration share.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/planning/buddy_trees.hpp"
#include "engine/simulation/schedule_verifier.hpp"

#include "policies/gang.hpp"

namespace schedfarm::policies {

/// Which classes the idle processors of a slice go to first.
enum class FillOrder : std::uint8_t { leaves, root };

/// Checks at the start of every slice that the jobs that run are those that the rule names, and
/// that no slice is left out, work begins switch_cost_s into a slice and none crosses its end; and
/// what holds for all gang scheduling (policies/gang_verifier.hpp). Cost: O(jobs²) per slice.
std::unique_ptr<engine::ScheduleVerifier> make_migration_verifier(
    const GangSettings& settings, FillOrder order, const engine::BuddyTrees& trees
);

}  // namespace schedfarm::policies
