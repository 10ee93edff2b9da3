// What push-down, push-up and pushing both ways share (policies/gang/pushing_gang.cpp).
#pragma once

#include <cstdint>

#include "engine/simulation/policy.hpp"

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

RootSlice root_slice(const engine::Parameters& given);

/// All but the policy's name and texts.
engine::PolicyDescription pushing_gang_description(PushDirection direction);

}  // namespace schedfarm::policies
