// What a plan may do and yet should be told of before anything runs.
#pragma once

#include <string>
#include <vector>

#include "campaigns/plan/plan.hpp"

namespace schedfarm::campaigns {

/// Runs too short for their precision (campaigns/plan/steady_state.hpp), times of policies in
/// another unit (campaigns/plan/policy_times.hpp), slowdowns without a finite mean, control
/// variates of too few replications. Each text once.
std::vector<std::string> plan_warnings(const Plan& plan);

}  // namespace schedfarm::campaigns
