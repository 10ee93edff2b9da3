// What the models of moldable jobs share in how they draw them. Pure.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/simulation/workload_model.hpp"

namespace schedfarm::models {

/// Off-line horizons are short, and times on all processors are drawn for every job of a block.
inline std::size_t moldable_block_size(const engine::WorkloadContext& context) {
    return context.experiment.starts_with_all() ? 32 : engine::JobBlock::capacity;
}

/// The draw from Purpose::job_class that gives a job its weight.
constexpr std::uint64_t weight_draw(std::uint64_t job) {
    return (std::uint64_t{1} << 40) + job;
}

}  // namespace schedfarm::models
