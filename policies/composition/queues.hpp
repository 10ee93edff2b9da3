// Queues with priorities and limits over one policy, which plans the whole machine for the jobs
// that it is handed (queue_admission.hpp).
#pragma once

#include <memory>

#include "engine/simulation/policy.hpp"
#include "engine/simulation/verifiers/schedule_verifier.hpp"

#include "policies/composition/inner_policy.hpp"
#include "policies/composition/queue_table.hpp"

namespace schedfarm::policies {

struct QueuesPlan {
    QueueTable table;
    InnerPolicy inner;
};

/// Of the parameters of `queues`.
QueuesPlan queues_plan(const engine::Parameters& given);

/// Holds the started jobs of every queue and user to their limits, counted anew, and what is handed
/// down to what the inner verifier says of it.
std::unique_ptr<engine::ScheduleVerifier> make_queues_verifier(
    QueuesPlan plan, const engine::PolicyContext& context, const MakeVerifier& make_inner
);

}  // namespace schedfarm::policies
