// What is started of queues with limits, counted anew: the verifiers of all policies with queues.
#pragma once

#include <memory>

#include "engine/simulation/verifiers/schedule_verifier.hpp"

#include "policies/queue_table.hpp"

namespace schedfarm::policies {

/// Checks that what is started of a queue, and of a user in it, exceeds no limit until it
/// completes. Cost: O(log users) per start and completion.
std::unique_ptr<engine::ScheduleVerifier> make_queue_limits_verifier(QueueTable table);

}  // namespace schedfarm::policies
