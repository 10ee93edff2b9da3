// The sizes of jobs that each part of a machine takes, a partition or a queue, for messages about
// jobs that go nowhere. Pure.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "engine/foundation/parameters.hpp"
#include "engine/simulation/workload_model.hpp"

namespace schedfarm::policies {

struct SizeRange {
    static constexpr std::uint32_t no_limit = std::numeric_limits<std::uint32_t>::max();

    std::uint32_t smallest = 1;
    std::uint32_t largest = no_limit;

    bool takes(std::uint32_t size) const { return smallest <= size && size <= largest; }
};

/// "1 to 4, 9 to 16 or at least 32 processors": what the parts take, as listed; no range twice.
std::string text(const std::vector<SizeRange>& ranges);

/// The problem that no part takes the largest jobs of the workload; `part` is "queue" or
/// "partition", `parameter` the one that says what the parts take.
std::vector<engine::ParameterProblem> largest_job_problems(
    const std::vector<SizeRange>& ranges,
    const engine::WorkloadTraits& workload,
    const std::string& part,
    const std::string& parameter
);

}  // namespace schedfarm::policies
