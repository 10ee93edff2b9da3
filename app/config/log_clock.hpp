// Policies that go by the clock of a log.
#pragma once

#include <utility>

#include "engine/foundation/parameters.hpp"

namespace schedfarm::app {

/// The policy's parameters, with `clock` in the place of a `clock_s` that means that of the log.
inline engine::Parameters with_clock(engine::Parameters policy, double clock) {
    if (policy.contains("clock_s") && policy.real("clock_s") < 0) {
        policy.set("clock_s", clock);
    }
    return policy;
}

}  // namespace schedfarm::app
