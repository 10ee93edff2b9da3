// First come, first served on static partitions: `partitions` with fcfs inside each.
#include <utility>

#include "engine/planning/queue_policy.hpp"

#include "policies/composition/partitions.hpp"

namespace schedfarm::policies {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

std::vector<ParameterDescription> partitioned_fcfs_parameters() {
    std::vector<ParameterDescription> table = partition_parameters();
    table.push_back(placement_parameter());
    return table;
}

}  // namespace

PartitionPlan partitioned_fcfs_plan(const Parameters& given, const SystemDescription& system) {
    Choice fcfs{.name = "fcfs"};
    fcfs.parameters.set("placement", given.at("placement"));
    PartitionPlan plan;
    plan.route.sizes = partition_sizes(given, system);
    plan.route.policy = "partitioned_fcfs";
    for (PartShape& shape : partition_shapes(given, system)) {
        plan.partitions.push_back({std::move(shape), InnerPolicy(fcfs)});
    }
    return plan;
}

PolicyDescription describe_partitioned_fcfs() {
    PolicyDescription description;
    description.alternative = {
        .name = "partitioned_fcfs",
        .summary = "First come, first served on each of several static partitions of the machine.",
        .parameters = partitioned_fcfs_parameters(),
        .check = partition_problems,
        .source =
            "fixed partitioning: Feitelson 1994, A survey of scheduling in multiprogrammed "
            "parallel systems"};
    description.traits = [](const Parameters& given) {
        return PolicyTraits{
            .first_come_first_served =
                given.at("processors").as_list().empty() && partition_count(given) == 1,
            .takes_withdrawals = true};
    };
    description.make = [](const Parameters& given, const PolicyContext& context) {
        return make_partitions(partitioned_fcfs_plan(given, context.system), context);
    };
    description.make_verifier = [](const Parameters& given, const PolicyContext& context) {
        return make_partitions_verifier(
            partitioned_fcfs_plan(given, context.system), context, own_verifier
        );
    };
    description.check_system = partition_system_problems;
    description.check_workload = [](const Parameters& given,
                                    const SystemDescription& system,
                                    const WorkloadTraits& workload) {
        return largest_job_problems(
            partition_sizes(given, system), workload, "partition", "processors"
        );
    };
    return description;
}

}  // namespace schedfarm::policies
