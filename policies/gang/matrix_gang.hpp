// What the parts of gang scheduling by a matrix share.
#pragma once

#include <memory>

#include "engine/planning/buddy_trees.hpp"
#include "engine/simulation/schedule_verifier.hpp"

#include "policies/gang/slot_matrix.hpp"
#include "policies/gang/switch_cost.hpp"

namespace schedfarm::policies {

struct MatrixSettings {
    PackingRule rule = {};
    double slice_s = 100;
    SwitchCost switches = {};
    bool unifies = true;       ///< slots, when jobs have left
    bool alternatives = true;  ///< jobs run in other slots too where their columns are idle
};

/// Keeps the matrix itself, cell by cell, and checks after every instant that the jobs that run
/// are those that the rule names, on the processors that it gives them; that a stretch pays for
/// what is left of the switch; and that the service received is the service required.
/// Cost: O(slots · processors · jobs present) per instant.
std::unique_ptr<engine::ScheduleVerifier> make_matrix_verifier(
    const MatrixSettings& settings, const engine::BuddyTrees& trees
);

}  // namespace schedfarm::policies
