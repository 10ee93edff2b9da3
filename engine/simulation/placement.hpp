// Whether processors are where a job asked for them.
#pragma once

#include <cstdint>
#include <span>

#include "engine/simulation/job.hpp"

namespace schedfarm::engine {

/// Whether a rigid job's request is met by `counts[c]` processors of each cluster c: ordered:
/// component i on cluster i; unordered: the counts are the components, each on a cluster of its
/// own; grouped: the components can be dealt out so that they add up to the counts; total: the sum
/// is right. Cost: grouped is exponential in the number of components, which is small.
bool is_placed_as_requested(const Job& job, std::span<const std::uint32_t> counts);

}  // namespace schedfarm::engine
