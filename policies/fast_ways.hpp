// The fast ways of the queueing policies: second implementations of whole experiments that give the
// same bits as the general kernel. Each maker returns null where its way does not apply.
#pragma once

#include <memory>

#include "engine/planning/placement.hpp"
#include "engine/planning/queue_policy.hpp"
#include "engine/simulation/fast_way.hpp"
#include "engine/simulation/policy.hpp"

#include "policies/backfilling/easy.hpp"

namespace schedfarm::policies {

/// Bin filling, which is the same under every policy that starts a lone job if it fits.
std::unique_ptr<engine::FastWay> make_bin_filling_fast_way(
    engine::PlacementRule rule, const engine::FastWayContext& context
);

/// Every experiment under first come, first served; all request structures.
std::unique_ptr<engine::FastWay> make_fcfs_fast_way(
    engine::PlacementRule rule, const engine::FastWayContext& context
);

/// Every experiment under Fit Processors First Served; total requests (bin filling: all).
std::unique_ptr<engine::FastWay> make_fpfs_fast_way(
    const engine::QueueSettings& settings, const engine::FastWayContext& context
);

/// Open and trace experiments under textbook EASY: every option as it is by default; total requests
/// (bin filling: all).
std::unique_ptr<engine::FastWay> make_easy_fast_way(
    const EasySettings& settings, const engine::FastWayContext& context
);

}  // namespace schedfarm::policies
