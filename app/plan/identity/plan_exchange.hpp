// A plan in several processes: each makes it of the campaign's text, and it must be the same in
// all. It is not where a log that the campaign names has other contents on another machine.
#pragma once

#include "app/plan/plan.hpp"

namespace schedfarm::app {

/// What other processes need to make the plan.
engine::Bytes announced(const Plan& plan);

/// The plan that was announced. Throws ConfigErrors, and LogError where another plan comes of it.
Plan make_announced_plan(const engine::Bytes& announcement);

}  // namespace schedfarm::app
