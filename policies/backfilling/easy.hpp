// What the implementations of EASY backfilling share: its options.
#pragma once

#include <cstdint>

#include "engine/foundation/parameters.hpp"
#include "engine/planning/placement.hpp"
#include "engine/planning/planning_options.hpp"

#include "policies/backfilling/queue_order.hpp"

namespace schedfarm::policies {

/// Whether a job may overtake on processors that the head of the queue will leave over.
enum class ExtraRule : std::uint8_t { on, off };

/// Whether the reservation of the head is planned anew in each pass.
enum class ShadowRule : std::uint8_t { recomputed, kept };

struct EasySettings {
    engine::Simultaneous simultaneous = engine::Simultaneous::batch;
    engine::RunTime candidate_time = engine::RunTime::requested;
    engine::RunTime running_time = engine::RunTime::requested;
    ExtraRule extra_rule = ExtraRule::on;
    ShadowRule shadow = ShadowRule::recomputed;
    QueueOrder order = QueueOrder::fcfs;
    engine::PlacementRule placement = engine::PlacementRule::first_fit;
};

/// Of the parameters of `easy`.
EasySettings easy_settings(const engine::Parameters& parameters);

}  // namespace schedfarm::policies
