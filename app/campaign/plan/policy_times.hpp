// Times of policies, such as the time slices of gang scheduling, whose defaults are seconds, where
// the workload's times are in another unit.
#pragma once

#include <string>
#include <vector>

#include "engine/foundation/parameters.hpp"

#include "app/campaign/plan/plan.hpp"

namespace schedfarm::app {

enum class TimeUnit { seconds, of_workload };

/// What to warn of; empty: the policy has no such times, or one of them was given, by somebody who
/// knows in what unit.
std::string default_times_warning(const engine::Choice& policy, TimeUnit unit);

/// The same of all cells, each text once.
std::vector<std::string> default_times_warnings(const Plan& plan);

}  // namespace schedfarm::app
