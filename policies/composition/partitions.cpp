// Partitions of the machine with any policy inside each. At one instant every partition that
// something happened to reacts, in order of number; the others are not asked.
#include "policies/composition/partitions.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/foundation/expect.hpp"

namespace schedfarm::policies {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

constexpr std::array<const char*, 2> idle_words = {"own", "lent"};

bool borrows(const Parameters& given) {
    return given.text("idle_processors") == idle_words[1];
}

bool is_by_clusters(const Parameters& given) {
    return !given.at("clusters").as_list().empty();
}

std::size_t count_of(const Parameters& given) {
    return is_by_clusters(given) ? given.at("clusters").as_list().size() : partition_count(given);
}

std::vector<PartShape> shapes_of(const Parameters& given, const SystemDescription& system) {
    if (!is_by_clusters(given)) {
        return partition_shapes(given, system);
    }
    PartCutter cutter(system);
    std::vector<PartShape> shapes;
    for (const std::uint32_t count : integers(given, "clusters")) {
        shapes.push_back(cutter.clusters(count));
    }
    return shapes;
}

std::vector<SizeRange> sizes_of(const Parameters& given, const SystemDescription& system) {
    std::vector<SizeRange> sizes = partition_sizes(given, system);
    if (is_by_clusters(given) && given.at("largest_size").as_list().empty()) {
        const std::vector<PartShape> shapes = shapes_of(given, system);
        sizes.resize(shapes.size(), sizes.front());
        for (std::size_t k = 0; k < shapes.size(); ++k) {
            sizes[k].largest = shapes[k].processors();
        }
    }
    return sizes;
}

std::vector<ParameterProblem> cluster_problems(const Parameters& given) {
    if (is_by_clusters(given) && !given.at("processors").as_list().empty()) {
        return {
            {"clusters",
             "both 'clusters' and 'processors' are given (each says what the partitions are)",
             "Leave one of them out."}};
    }
    const std::size_t columns = partition_count(given);
    if (is_by_clusters(given) && columns != 1 && columns != count_of(given)) {
        return {
            {"smallest_size",
             fmt::format(
                 "'smallest_size' and 'largest_size' have {} entries and 'clusters' has {} (there "
                 "is one for each partition)",
                 columns,
                 count_of(given)
             ),
             "Give one entry for each partition, or none."}};
    }
    return {};
}

std::vector<ParameterProblem> partitions_problems(const Parameters& given) {
    for (auto* const check : {partition_problems, cluster_problems}) {
        std::vector<ParameterProblem> found = check(given);
        if (!found.empty()) {
            return found;
        }
    }
    std::vector<ParameterProblem> found = route_problems(given, "partition", count_of(given));
    if (found.empty()) {
        found = inner_count_problems(given, "partition", count_of(given));
    }
    for (std::size_t k = 0; found.empty() && borrows(given) && k < inner_count(given); ++k) {
        if (!inner_policy(given, k).traits().takes_withdrawals) {
            found.push_back(
                {"idle_processors",
                 "a policy inside gives no waiting jobs back (a job that starts elsewhere is taken "
                 "from it)",
                 "Use another policy, such as easy or conservative."}
            );
        }
    }
    return found;
}

std::vector<ParameterProblem> partitions_system_problems(
    const Parameters& given, const SystemDescription& system
) {
    std::size_t clusters = 0;
    for (const std::uint32_t count : integers(given, "clusters")) {
        clusters += count;
    }
    if (clusters > system.clusters.size()) {
        return {
            {"clusters",
             fmt::format(
                 "the partitions have {} clusters together and the system {} (they share none)",
                 clusters,
                 system.clusters.size()
             ),
             "Make the partitions smaller."}};
    }
    std::vector<ParameterProblem> found = partition_system_problems(given, system);
    for (std::size_t k = 0; found.empty() && k < count_of(given); ++k) {
        found = as_inner_problems(
            inner_policy(given, k).system_problems(shapes_of(given, system)[k].system(system))
        );
    }
    return found;
}

std::vector<ParameterProblem> partitions_workload_problems(
    const Parameters& given, const SystemDescription& system, const WorkloadTraits& workload
) {
    const PartitionPlan plan = partitions_plan(given, system);
    std::vector<ParameterProblem> found;
    if (plan.route.key == RouteKey::size) {
        found = largest_job_problems(plan.route.sizes, workload, "partition", "processors");
    }
    for (std::size_t k = 0; found.empty() && k < plan.partitions.size(); ++k) {
        const Partition& partition = plan.partitions[k];
        WorkloadTraits own = workload;
        own.max_size = std::min(own.max_size, plan.route.sizes[k].largest);
        found =
            as_inner_problems(partition.inner.workload_problems(partition.shape.system(system), own)
            );
    }
    return found;
}

std::vector<ObservationColumn> partitions_observations(
    const Parameters& given, const SystemDescription& system
) {
    std::vector<ObservationColumn> columns;
    for (const Partition& partition : partitions_plan(given, system).partitions) {
        add_observations(partition.inner, partition.shape.system(system), columns);
    }
    return columns;
}

std::vector<ParameterDescription> partitions_parameters() {
    std::vector<ParameterDescription> table = partition_parameters();
    table.insert(
        table.begin(),
        inner_parameter("the policy of every part, any of this list; a list of policies: one for "
                        "each part")
    );
    table.push_back(
        {.name = "clusters",
         .meaning = "in place of 'processors': clusters of each partition, in order",
         .type = ParameterType::integer_list,
         .default_value = Value::List{},
         .range = {.low = 1, .high = 1e6}}
    );
    const std::vector<ParameterDescription> route = route_parameters("partition", RouteKey::size);
    table.insert(table.end(), route.begin(), route.end());
    table.push_back(
        {.name = "idle_processors",
         .meaning = "who may use what is idle in a partition where no job waits: its own jobs, or "
                    "also jobs that wait elsewhere, in order of arrival, each at the first "
                    "partition that has its processors free; it stays there",
         .type = ParameterType::text,
         .default_value = idle_words[0],
         .words = {idle_words.begin(), idle_words.end()}}
    );
    return table;
}

PolicyTraits partitions_traits(const Parameters& given) {
    std::vector<InnerPolicy> inner;
    for (std::size_t k = 0; k < inner_count(given); ++k) {
        inner.push_back(inner_policy(given, k));
    }
    PolicyTraits joined = joined_traits(inner);
    joined.keeps_fixed_starts = joined.keeps_fixed_starts && !borrows(given);
    joined.first_come_first_served = count_of(given) == 1 && !is_by_clusters(given)
                                     && given.at("processors").as_list().empty()
                                     && inner.front().traits().first_come_first_served;
    return joined;
}

}  // namespace

PartitionPlan partitions_plan(const Parameters& given, const SystemDescription& system) {
    PartitionPlan plan;
    const std::vector<PartShape> shapes = shapes_of(given, system);
    plan.route = job_route(given, "partition", shapes.size());
    plan.route.sizes = sizes_of(given, system);
    plan.route.policy = "partitions";
    plan.borrows = borrows(given);
    for (std::size_t k = 0; k < shapes.size(); ++k) {
        plan.partitions.push_back({shapes[k], inner_policy(given, k)});
    }
    return plan;
}

PolicyDescription describe_partitions() {
    PolicyDescription description;
    description.alternative = {
        .name = "partitions",
        .summary = "Static partitions of the machine, each with a policy of its own.",
        .parameters = partitions_parameters(),
        .check = partitions_problems,
        .source =
            "fixed partitioning: Feitelson 1994, A survey of scheduling in multiprogrammed "
            "parallel systems"};
    description.traits = partitions_traits;
    description.make = [](const Parameters& given, const PolicyContext& context) {
        return make_partitions(partitions_plan(given, context.system), context);
    };
    description.check_system = partitions_system_problems;
    description.check_workload = partitions_workload_problems;
    description.observations = partitions_observations;
    return description;
}

}  // namespace schedfarm::policies
