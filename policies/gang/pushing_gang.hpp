// What push-down, push-up and pushing both ways share (policies/gang/pushing_gang.cpp).
#pragma once

#include <cstdint>
#include <memory>

#include "engine/planning/buddy_trees.hpp"
#include "engine/simulation/policy.hpp"
#include "engine/simulation/schedule_verifier.hpp"

#include "policies/gang/bound_gang.hpp"

namespace schedfarm::policies {

/// Which classes the idle processors of a slice go to, in which order.
enum class PushDirection : std::uint8_t {
    down,  ///< the smaller ones, the next smaller first
    up,    ///< the larger ones of the tree, the next larger first
    both,  ///< all of the tree, the one with the most jobs in the system first; ties as down, up
};

/// When a job of the root class has its slice while no tree serves: at once, or when all trees have
/// come to that slice.
enum class RootSlice : std::uint8_t { first, in_turn };

/// All but the policy's name and texts.
engine::PolicyDescription pushing_gang_description(PushDirection direction);

/// Walks the rotation of each tree: the jobs of its slice's class and of those that may fill run
/// where their processors are idle, in this order, and no others, from the start of the slice to
/// its end; and jobs of the root class are alone.
std::unique_ptr<engine::ScheduleVerifier> make_pushing_verifier(
    const BoundGangSettings& settings,
    PushDirection direction,
    RootSlice root_slice,
    const engine::BuddyTrees& trees
);

}  // namespace schedfarm::policies
