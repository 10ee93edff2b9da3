// What the parts of gang scheduling by a matrix share.
#pragma once

#include "engine/foundation/parameters.hpp"

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

MatrixSettings matrix_settings(const engine::Parameters& given);

}  // namespace schedfarm::policies
