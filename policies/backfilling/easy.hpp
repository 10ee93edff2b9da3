// What the implementations of EASY backfilling share: its options and its verifier.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/planning/placement.hpp"
#include "engine/planning/planning_options.hpp"
#include "engine/simulation/schedule_verifier.hpp"
#include "engine/simulation/system.hpp"

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

/// Checks that the head never waits where it fits, and that it starts no later than it was promised
/// when it became the head; the promise holds as long as no other job becomes the head, no job runs
/// longer than planned, requests are total and processors do not change. Cost: O(waiting + running
/// jobs) per instant.
std::unique_ptr<engine::ScheduleVerifier> make_easy_verifier(
    const EasySettings& settings, const engine::SystemDescription& system
);

}  // namespace schedfarm::policies
