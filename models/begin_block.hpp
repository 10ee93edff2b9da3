// The first step of every model's next(): a block without columns that still holds its memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/simulation/workload_model.hpp"

namespace schedfarm::models {

/// Empties every column of `block` and numbers its jobs.
inline void begin_block(engine::JobBlock& block, std::uint64_t first_index, std::size_t count) {
    // By names for all members, so that a block with another one does not compile until it is here.
    // clang-format off
    auto& [first, jobs, stride, submit, service, size, components, structure, estimate, job_class,
           user, origin, queue, priority, weight, memory, fixed_start, moldable, request, job_number]
        = block;
    // clang-format on
    first = first_index;
    jobs = count;
    const auto clear = [](auto&... columns) {
        (columns.clear(), ...);
    };
    clear(submit, service, size, components);
    clear(estimate, job_class, user, origin, queue, priority, weight, memory, fixed_start);
    clear(moldable, request, job_number);
}

}  // namespace schedfarm::models
