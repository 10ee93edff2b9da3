// Multiple queues with a kernel of their own (multiple_queues.cpp): its settings.
#pragma once

#include <cstdint>

#include "engine/foundation/parameters.hpp"
#include "engine/planning/placement.hpp"
#include "engine/planning/planning_options.hpp"

#include "policies/queue_table.hpp"

namespace schedfarm::policies {

enum class QueueBackfilling : std::uint8_t { off, easy };

struct MultipleQueuesSettings : QueueTable {
    QueueBackfilling backfilling = QueueBackfilling::off;
    engine::Simultaneous simultaneous = engine::Simultaneous::batch;
    engine::PlacementRule placement = engine::PlacementRule::first_fit;
};

/// Of the parameters of `multiple_queues`.
MultipleQueuesSettings multiple_queues_settings(const engine::Parameters& parameters);

}  // namespace schedfarm::policies
