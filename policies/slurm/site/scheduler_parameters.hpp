// The words of SchedulerParameters that are modelled; a campaign may give those with numbers as
// parameters of the policy.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/foundation/parameters.hpp"

#include "policies/slurm/settings.hpp"

namespace schedfarm::policies::slurm {

/// Takes one into the settings; of a flag 1. REQUIRES: it is modelled, the value is in its range.
void set_scheduler_parameter(Settings& settings, std::string_view name, std::int64_t value);

std::vector<engine::ParameterDescription> scheduler_parameter_rows();

/// Takes those of the rows that say something.
std::vector<engine::ParameterProblem> take_scheduler_parameters(
    Settings& settings, const engine::Parameters& given
);

}  // namespace schedfarm::policies::slurm
