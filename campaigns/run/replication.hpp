// One replication of one cell: a pure function (cell, campaign seed, replication index) →
// observations, runnable twice in one process, on any rank, and alone (`schedfarm replay`).
#pragma once

#include <cstdint>

#include "engine/simulation/observations.hpp"

#include "campaigns/plan/plan.hpp"

namespace schedfarm::campaigns {

/// Which implementation simulates; both give the same bits.
enum class Kernel : std::uint8_t {
    automatic,  ///< the policy's fast way where it has one, else the general kernel
    general,    ///< always the general kernel
    verified,   ///< the general kernel with every verifier
};

engine::Observations run_replication(
    const Cell& cell,
    std::uint64_t campaign_seed,
    std::uint32_t replication,
    Kernel kernel = Kernel::automatic
);

}  // namespace schedfarm::campaigns
