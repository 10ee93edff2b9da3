// Horizons that the program finds (`horizon.jobs: auto`). A cell begins with 20,000 jobs; where its
// empty start shows in its means it begins anew with 2^level times as many, and what it computed
// before is not mixed into the estimate. The index of a replication says its horizon: those of a
// level are level · 1,000,000, level · 1,000,000 + 1, … So whoever runs a replication, for the
// first time, from a journal or by hand, needs no more than its index, and replications of
// different lengths share no random numbers, while cells at the same level share them.
#pragma once

#include <cstdint>

#include "engine/simulation/experiment.hpp"

#include "app/campaign/keys/sections/horizon_reader.hpp"
#include "app/campaign/plan/plan.hpp"

namespace schedfarm::app {

inline constexpr std::uint64_t replications_per_level = most_while_lengthening;
inline constexpr std::uint32_t last_level = 10;

/// 0 where the program does not find the horizon.
std::uint32_t level_of(const Cell& cell, std::uint64_t replication);

/// Whether cells that are compared share the longest horizon that any of them needs, though each
/// has its own stop rule.
bool shares_horizons(const Plan& plan);

/// The number of the replication within its level.
std::uint64_t position_in_level(const Cell& cell, std::uint64_t replication);

/// The horizon at a level: that many times the jobs of the campaign's, and of its warm-up where
/// that is a part of them. REQUIRES: level <= last_level.
engine::Horizon horizon_at(const Cell& cell, std::uint32_t level);

/// What a longer run is to have: twice the relaxation times that leave the bias that is allowed,
/// and at least 100, with which the empty start shows no more. A cell that were to pass just so
/// would be one whose means came out low.
/// REQUIRES: 0 < allowed_bias < 1, 0 <= warm_up_fraction < 1.
double aimed_relaxation_times(double allowed_bias, double warm_up_fraction);

}  // namespace schedfarm::app
