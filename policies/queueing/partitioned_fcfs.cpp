// First come, first served on static partitions of the machine: every job goes to the first
// partition listed whose range of sizes holds it, and waits in the queue of this partition for
// processors of this partition, whatever is free elsewhere.
//
// Partitions are made of the processors in order, over the clusters; what they leave over is idle.
// While processors are out of order, a partition may use what is left of each cluster.
// Cost: O(partitions) per instant and O(1) per job beside the placement.
#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "engine/planning/placement.hpp"
#include "engine/planning/queue_policy.hpp"
#include "engine/simulation/actions.hpp"
#include "engine/simulation/schedule_verifier.hpp"
#include "engine/simulation/unserved_job.hpp"

#include "policies/columns.hpp"
#include "policies/queueing/size_ranges.hpp"

namespace schedfarm::policies {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

constexpr std::array columns = {"processors", "smallest_size", "largest_size"};

struct Partition {
    std::vector<std::uint32_t> processors;  // by cluster
    SizeRange sizes;
};

/// Takes `count` processors from the front of what is left of each cluster.
std::vector<std::uint32_t> cut(std::vector<std::uint32_t>& left, std::uint32_t count) {
    std::vector<std::uint32_t> taken;
    for (std::uint32_t& cluster : left) {
        taken.push_back(std::min(cluster, count));
        count -= taken.back();
        cluster -= taken.back();
    }
    return taken;
}

std::vector<Partition> partitions_of(
    const Parameters& parameters, const SystemDescription& system
) {
    std::vector<std::uint32_t> left = system.clusters;
    std::vector<Partition> partitions;
    for (std::size_t row = 0; row < row_count(parameters, columns); ++row) {
        const auto number = [&](const char* column, double absent) {
            return static_cast<std::uint32_t>(entry(parameters, column, row, absent));
        };
        const std::uint32_t processors = number("processors", system.processors());
        partitions.push_back(
            {.processors = cut(left, processors),
             .sizes = {number("smallest_size", 1), number("largest_size", processors)}}
        );
    }
    return partitions;
}

std::vector<SizeRange> sizes_of(const std::vector<Partition>& partitions) {
    std::vector<SizeRange> sizes;
    sizes.reserve(partitions.size());
    for (const Partition& partition : partitions) {
        sizes.push_back(partition.sizes);
    }
    return sizes;
}

/// Where the job goes; throws if nowhere.
std::size_t partition_of(const Job& job, const std::vector<Partition>& partitions) {
    const auto at = std::find_if(partitions.begin(), partitions.end(), [&job](const auto& one) {
        return one.sizes.takes(job.size);
    });
    if (at == partitions.end()) {
        throw UnservedJobError(fmt::format(
            "job {} asks for {} processors and goes to no partition (they take {}: it could never "
            "start). Give 'partitioned_fcfs' a partition for jobs of this size?",
            job.index,
            job.size,
            text(sizes_of(partitions))
        ));
    }
    return static_cast<std::size_t>(at - partitions.begin());
}

class PartitionedFcfs final : public Policy {
  public:
    PartitionedFcfs(std::vector<Partition> partitions, PlacementRule rule)
        : partitions_(std::move(partitions)), placer_(rule), queues_(partitions_.size()) {
        for (const Partition& partition : partitions_) {
            free_.push_back(partition.processors);
        }
    }

    void react(const EventBatch& events, Actions& actions) override {
        for (const JobId id : events.completions) {
            const Held& held = held_[id.value];
            for (const ClusterShare& share : held.shares) {
                free_[held.partition][share.cluster.value] += share.count;
            }
        }
        for (const JobId id : events.arrivals) {
            queues_[partition_for(actions.job(id))].push_back(id);
            held_.resize(std::max(held_.size(), id.value + std::size_t{1}));
        }
        for (std::size_t partition = 0; partition < queues_.size(); ++partition) {
            while (!queues_[partition].empty() && start_head(partition, actions)) {
                queues_[partition].pop_front();
            }
        }
    }

  private:
    struct Held {
        std::size_t partition = 0;
        std::vector<ClusterShare> shares;
    };

    /// Refuses a job whose components would not fit on its partition if it were idle. Grouped ones
    /// may start on fewer processors where they do not on more: of them this is not said.
    std::size_t partition_for(const Job& job) {
        const std::size_t partition = partition_of(job, partitions_);
        const bool is_by_cluster = job.structure == RequestStructure::ordered
                                   || job.structure == RequestStructure::unordered;
        if (is_by_cluster && placer_.place(job, partitions_[partition].processors).empty()) {
            throw UnservedJobError(fmt::format(
                "job {} asks for {} processors by cluster, which partition {} has on other "
                "clusters "
                "(it could never start). Total requests?",
                job.index,
                job.size,
                partition + 1
            ));
        }
        return partition;
    }

    bool start_head(std::size_t partition, Actions& actions) {
        const JobId head = queues_[partition].front();
        std::vector<std::uint32_t>& free = free_[partition];
        const auto free_by_cluster = actions.machine().free_by_cluster();
        usable_.resize(free.size());
        for (std::size_t cluster = 0; cluster < free.size(); ++cluster) {
            usable_[cluster] = std::min(free[cluster], free_by_cluster[cluster]);
        }
        const auto shares = placer_.place(actions.job(head), usable_);
        for (const ClusterShare& share : shares) {
            free[share.cluster.value] -= share.count;
        }
        if (shares.empty()) {
            return false;
        }
        Held& held = held_[head.value];
        held.partition = partition;
        held.shares.assign(shares.begin(), shares.end());
        actions.start(head, shares);
        return true;
    }

    std::vector<Partition> partitions_;
    Placer placer_;
    std::vector<std::deque<JobId>> queues_;         // by partition
    std::vector<std::vector<std::uint32_t>> free_;  // by partition and cluster
    std::vector<Held> held_;                        // by slot of the job
    std::vector<std::uint32_t> usable_;
};

/// Checks that no partition is in use beyond its processors, that jobs of a partition start in the
/// order of their arrival, and that none waits at its head where its size is free.
class PartitionVerifier final : public ScheduleVerifier {
  public:
    PartitionVerifier(std::vector<Partition> partitions, const SystemDescription& system)
        : partitions_(std::move(partitions))
        , queues_(partitions_.size())
        , free_(partitions_.size())
        , processors_are_fixed_(system.capacity_changes.empty()) {
        for (std::size_t i = 0; i < partitions_.size(); ++i) {
            for (const std::uint32_t count : partitions_[i].processors) {
                free_[i] += count;
            }
        }
    }

    void observe(const ScheduleStep& step) override {
        if (step.job == nullptr) {
            return;
        }
        const std::size_t partition = partition_of(*step.job, partitions_);
        std::deque<Waiting>& queue = queues_[partition];
        const bool is_total = step.job->structure == RequestStructure::total;
        if (step.kind == ScheduleStep::Kind::arrival) {
            queue.push_back({step.job->index, is_total ? step.job->size : never_fits});
        } else if (step.kind == ScheduleStep::Kind::completion) {
            free_[partition] += step.job->size;
        } else if (step.kind == ScheduleStep::Kind::start) {
            expect(queue.front().index == step.job->index, step, "overtakes in its partition");
            expect(step.job->size <= free_[partition], step, "exceeds its partition");
            free_[partition] -= step.job->size;
            queue.pop_front();
        }
    }

    void end_of_instant(double time) override {
        for (std::size_t i = 0; i < queues_.size() && processors_are_fixed_; ++i) {
            if (!queues_[i].empty() && queues_[i].front().size <= free_[i]) {
                throw ScheduleError(fmt::format(
                    "at time {}: job {} heads a partition, fits and waits",
                    time,
                    queues_[i].front().index
                ));
            }
        }
    }

    void finish() override {}

  private:
    struct Waiting {
        std::uint64_t index;
        std::uint64_t size;
    };
    static constexpr std::uint64_t never_fits = ~std::uint64_t{0};

    static void expect(bool holds, const ScheduleStep& step, const char* problem) {
        if (!holds) {
            throw ScheduleError(
                fmt::format("at time {}: job {} {}", step.time, step.job->index, problem)
            );
        }
    }

    std::vector<Partition> partitions_;
    std::vector<std::deque<Waiting>> queues_;  // by partition
    std::vector<std::uint64_t> free_;          // by partition
    bool processors_are_fixed_;
};

std::vector<ParameterProblem> problems(const Parameters& parameters) {
    std::vector<ParameterProblem> found = length_problems(parameters, columns, "partition");
    if (!found.empty()) {
        return found;
    }
    for (std::size_t row = 0; row < row_count(parameters, columns); ++row) {
        const double smallest = entry(parameters, "smallest_size", row, 1);
        const double processors = entry(parameters, "processors", row, 1e9);
        const double largest = entry(parameters, "largest_size", row, processors);
        if (smallest > largest || largest > processors) {
            found.push_back(
                {largest > processors ? "largest_size" : "smallest_size",
                 fmt::format(
                     "partition {} takes jobs of {} to {} processors and has {} (no such job could "
                     "run on it)",
                     row + 1,
                     smallest,
                     largest,
                     processors
                 ),
                 "smallest_size <= largest_size <= processors?"}
            );
        }
    }
    return found;
}

std::vector<ParameterProblem> system_problems(
    const Parameters& parameters, const SystemDescription& system
) {
    double sum = 0;
    for (std::size_t row = 0; row < row_count(parameters, columns); ++row) {
        sum += entry(parameters, "processors", row, system.processors());
    }
    if (sum <= system.processors()) {
        return {};
    }
    return {
        {"processors",
         fmt::format(
             "the partitions have {} processors together and the system {} (they share none)",
             sum,
             system.processors()
         ),
         "Smaller partitions?"}};
}

std::vector<ParameterDescription> parameters() {
    return {
        {.name = "processors",
         .meaning = "processors of each partition; empty: one partition, the whole machine",
         .unit = "processors",
         .type = ParameterType::integer_list,
         .default_value = Value::List{},
         .range = {.low = 1, .high = 1e6}},
        {.name = "smallest_size",
         .meaning = "smallest job of each partition; empty: 1",
         .unit = "processors",
         .type = ParameterType::integer_list,
         .default_value = Value::List{},
         .range = {.low = 1, .high = 1e6}},
        {.name = "largest_size",
         .meaning = "largest job of each partition; empty: its processors. A job goes to the first "
                    "partition that takes its size; a workload whose largest jobs none takes is "
                    "refused",
         .unit = "processors",
         .type = ParameterType::integer_list,
         .default_value = Value::List{},
         .range = {.low = 1, .high = 1e6}},
        placement_parameter()};
}

}  // namespace

PolicyDescription describe_partitioned_fcfs() {
    PolicyDescription description;
    description.alternative = {
        .name = "partitioned_fcfs",
        .summary = "First come, first served on each of several static partitions of the machine.",
        .parameters = parameters(),
        .check = problems,
        .source =
            "fixed partitioning: Feitelson 1994, A survey of scheduling in multiprogrammed "
            "parallel systems"};
    description.traits = [](const Parameters& given) {
        return PolicyTraits{
            .first_come_first_served =
                given.at("processors").as_list().empty() && row_count(given, columns) == 1};
    };
    description.make = [](const Parameters& given, const PolicyContext& context) {
        return std::make_unique<PartitionedFcfs>(
            partitions_of(given, context.system), placement_rule(given)
        );
    };
    description.make_verifier = [](const Parameters& given, const PolicyContext& context) {
        return std::make_unique<PartitionVerifier>(
            partitions_of(given, context.system), context.system
        );
    };
    description.check_system = system_problems;
    description.check_workload = [](const Parameters& given,
                                    const SystemDescription& system,
                                    const WorkloadTraits& workload) {
        const std::vector<SizeRange> sizes = sizes_of(partitions_of(given, system));
        return largest_job_problems(sizes, workload, "partition", "processors");
    };
    return description;
}

}  // namespace schedfarm::policies
