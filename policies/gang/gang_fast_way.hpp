// Gang scheduling without the general kernel: the policies themselves, as they are, on a simulator
// that does for them only what they need and checks nothing. Same bits, about twice as fast.
#pragma once

#include "engine/simulation/policy.hpp"

namespace schedfarm::policies {

/// Gives the description, whose `make` is set, its fast way: for open and trace experiments.
/// REQUIRES of the policy: it draws no random numbers; start_on(), suspend(), delay() of jobs that
/// do not run, and timers are all that it calls, with the right to do so.
void add_gang_fast_way(engine::PolicyDescription& description);

}  // namespace schedfarm::policies
