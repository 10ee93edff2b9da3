// What policies for moldable jobs publish of a batch: lower bounds of its makespan and of the sum
// of weight · completion, and by how much the plan exceeds them. Summed over batches; off-line
// there is one. Bounds cost more than the schedules, so that they are asked for by the parameter
// `bounds`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/foundation/parameters.hpp"
#include "engine/simulation/kernel/actions.hpp"
#include "engine/simulation/measurement/observations.hpp"

#include "policies/moldable/moldable_problem.hpp"

namespace schedfarm::policies {

struct BoundSettings {
    std::string bounds;  ///< a word of the parameter
    std::uint32_t steps_per_octave = 4;
};

std::vector<engine::ParameterDescription> bounds_parameters();
BoundSettings bound_settings(const engine::Parameters& given);

std::vector<engine::ObservationColumn> bound_columns(const engine::Parameters& given);

/// A plan's two criteria, from the begin of the batch on.
struct MoldableCriteria {
    double makespan = 0;
    double weighted_completion = 0;
};

void publish_bounds(
    const BoundSettings& settings,
    const MoldableProblem& problem,
    const MoldableCriteria& reached,
    engine::Actions& actions
);

}  // namespace schedfarm::policies
