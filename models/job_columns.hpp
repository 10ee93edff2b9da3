// The first step of every model's next(): a block without columns that still holds its memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/simulation/workload_model.hpp"

namespace schedfarm::models {

/// Empties every column of `block` and numbers its jobs.
inline void begin_block(engine::JobBlock& block, std::uint64_t first_index, std::size_t count) {
    block.first_index = first_index;
    block.count = count;
    const auto clear = [](auto&... columns) {
        (columns.clear(), ...);
    };
    clear(
        block.submit_time,
        block.service_time,
        block.size,
        block.components,
        block.estimate,
        block.job_class,
        block.user,
        block.origin,
        block.queue,
        block.priority,
        block.weight,
        block.memory_per_processor,
        block.fixed_start,
        block.moldable,
        block.job_number
    );
}

}  // namespace schedfarm::models
