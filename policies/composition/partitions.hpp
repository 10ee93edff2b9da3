// The machine in partitions, each with a policy of its own: every job goes to one partition and
// waits there, whatever is free elsewhere.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/simulation/policy.hpp"

#include "policies/composition/inner_policy.hpp"
#include "policies/composition/job_route.hpp"
#include "policies/composition/part_shape.hpp"

namespace schedfarm::policies {

struct Partition {
    PartShape shape;
    InnerPolicy inner;
};

struct PartitionPlan {
    std::vector<Partition> partitions;
    JobRoute route;
    bool borrows = false;  ///< waiting jobs start on what is idle in other partitions
};

/// Cost: O(partitions) per instant and O(1) per event beside what the inner policies cost.
std::unique_ptr<engine::Policy> make_partitions(
    PartitionPlan plan, const engine::PolicyContext& context
);

/// What the policy of a partition of the plan may depend on.
engine::PolicyContext context_of(
    const PartitionPlan& plan, const Partition& partition, const engine::PolicyContext& whole
);

/// Of the parameters of `partitions`.
PartitionPlan partitions_plan(
    const engine::Parameters& given, const engine::SystemDescription& system
);

// The table of partitions among a policy's parameters.
/// `processors`, `smallest_size`, `largest_size`.
std::vector<engine::ParameterDescription> partition_parameters();
std::vector<engine::ParameterProblem> partition_problems(const engine::Parameters& given);
/// More processors than the system has.
std::vector<engine::ParameterProblem> partition_system_problems(
    const engine::Parameters& given, const engine::SystemDescription& system
);
std::size_t partition_count(const engine::Parameters& given);
/// In order over the clusters. REQUIRES: no problem.
std::vector<PartShape> partition_shapes(
    const engine::Parameters& given, const engine::SystemDescription& system
);
/// Of each partition.
std::vector<SizeRange> partition_sizes(
    const engine::Parameters& given, const engine::SystemDescription& system
);

}  // namespace schedfarm::policies
