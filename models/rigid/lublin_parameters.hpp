// The parameters of the workload model lublin_feitelson: for each type of jobs four lists, whose
// names begin with the type. The defaults are the constants of Lublin & Feitelson 2003, as in the
// authors' program.
#pragma once

#include <string>
#include <vector>

#include "engine/foundation/parameters.hpp"

namespace schedfarm::models {

std::vector<engine::ParameterDescription> lublin_parameters();
std::vector<engine::ParameterProblem> lublin_problems(const engine::Parameters& parameters);

/// The types of jobs that there are, in the order of their class: interactive, batch, or typeless.
std::vector<std::string> lublin_types(const engine::Parameters& parameters);

/// `name` is size, run_time, interarrival or cycle.
std::vector<double> lublin_list(
    const engine::Parameters& parameters, const std::string& type, const char* name
);

}  // namespace schedfarm::models
