// Multiple queues with a kernel of their own (multiple_queues.cpp): what the policy and its
// verifier share.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/planning/placement.hpp"
#include "engine/planning/planning_options.hpp"
#include "engine/simulation/schedule_verifier.hpp"
#include "engine/simulation/system.hpp"

#include "policies/queue_table.hpp"

namespace schedfarm::policies {

enum class QueueBackfilling : std::uint8_t { off, easy };

struct MultipleQueuesSettings : QueueTable {
    QueueBackfilling backfilling = QueueBackfilling::off;
    engine::Simultaneous simultaneous = engine::Simultaneous::batch;
    engine::PlacementRule placement = engine::PlacementRule::first_fit;
};

/// Checks that limits hold, that nobody starts ahead of an earlier job of the same queue that could
/// start, and, for total requests on processors that do not change, that the first job that is not
/// held by a limit does not wait where it fits; this last not after several passes at one instant.
/// Cost: O(waiting jobs) per start and instant.
std::unique_ptr<engine::ScheduleVerifier> make_multiple_queues_verifier(
    const MultipleQueuesSettings& table, const engine::SystemDescription& system
);

}  // namespace schedfarm::policies
