// Queues with priorities and limits over one policy, which plans the whole machine for the jobs
// that it is handed (queue_admission.hpp).
#pragma once

#include <memory>

#include "engine/simulation/policy.hpp"

#include "policies/composition/inner_policy.hpp"
#include "policies/composition/queue_table.hpp"

namespace schedfarm::policies {

struct QueuesPlan {
    QueueTable table;
    InnerPolicy inner;
};

/// Of the parameters of `queues`.
QueuesPlan queues_plan(const engine::Parameters& given);

}  // namespace schedfarm::policies
