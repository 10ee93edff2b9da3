// What the push-down of policies/gang/push_down_gang.cpp is given beside what all bound gangs are.
#pragma once

#include <cstdint>

#include "engine/simulation/policy.hpp"

namespace schedfarm::policies {

/// When a job of the root class has its slice while no tree serves: at once, or when all trees have
/// come to that slice.
enum class RootSlice : std::uint8_t { first, in_turn };

RootSlice root_slice(const engine::Parameters& given);

}  // namespace schedfarm::policies
