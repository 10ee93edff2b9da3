// What a plan may do and yet should be told of before anything runs.
#pragma once

#include <string>
#include <vector>

#include "app/campaign/plan/plan.hpp"

namespace schedfarm::app {

/// Unstable cells, runs too short for their precision (app/campaign/plan/steady_state.hpp), times
/// of policies in another unit (app/campaign/plan/policy_times.hpp), logs with oddities or without
/// requested times, slowdowns without a finite mean, control variates of too few replications. Each
/// text once.
std::vector<std::string> plan_warnings(const Plan& plan);

}  // namespace schedfarm::app
