// Gang scheduling with job migration (Wang, Papaefthymiou & Squillante 1997, section 2.5): time
// slices on a fixed grid, one row after the other; at the start of each the jobs that run are
// chosen and placed anew.
//
// In the row of the root class its oldest job has the machine to itself, if there is one. Else jobs
// of the row's own classes are taken first come, first served up to the row's nodes; then jobs of
// the classes in order, from the leaves (0, 1, …) or from the root, while their nodes fit into what
// is idle. Jobs of the root class never fill. Nothing starts in mid-slice, and processors freed
// there stay idle, unless `mid_slice` is refill: then the same is done with what is idle at every
// arrival and completion, and whoever runs stays. In the first part of a slice, the switch, nothing
// works; migration itself is free.
//
// Cost: O(classes + jobs that run) per slice; no slices while there is no job.
#include "policies/gang/migration_gang.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/planning/buddy_trees.hpp"
#include "engine/simulation/kernel/actions.hpp"

#include "policies/gang/gang.hpp"
#include "policies/gang/grid_gang.hpp"

namespace schedfarm::policies {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

class MigrationGang final : public GridGang {
  public:
    MigrationGang(const GangSettings& settings, FillOrder order, const BuddyTrees& trees)
        : GridGang(settings, trees)
        , order_(order)
        , blocks_(trees)
        , queues_(trees.classes())
        , taken_(trees.classes()) {
        for (std::uint32_t row = 0; row < trees.classes(); ++row) {
            shares_.push_back(shares_of(row));
        }
    }

  private:
    struct Present {
        JobId id;
        std::uint32_t size = 0;
    };
    /// So many nodes of a class belong to a row.
    struct Share {
        std::uint32_t job_class = 0;
        std::size_t nodes = 0;
    };

    std::vector<Share> shares_of(std::uint32_t row) const {
        std::vector<Share> shares;
        for (const SlicePart& part : row_parts(trees(), row)) {
            std::size_t nodes = 0;
            for (const NodeRange& range : part.nodes) {
                nodes += range.end - range.first;
            }
            shares.push_back({part.job_class, nodes});
        }
        return shares;
    }

    void arrive(JobId id, std::uint32_t size, std::uint32_t job_class) override {
        queues_[job_class].push_back({id, size});
    }

    // Its class is that of its node.
    void complete(JobId id, TreeNode at) override {
        std::vector<Present>& queue = queues_[at.node_class];
        queue.erase(std::find_if(queue.begin(), queue.end(), [id](const Present& job) {
            return job.id == id;
        }));
        --taken_[at.node_class];
        idle_ += trees().node_size(at.node_class);
        if (!trees().is_root(at.node_class)) {
            blocks_.release(at.node_class, at.node);
        }
    }

    void begin(double now) override {
        blocks_.reset();
        std::fill(taken_.begin(), taken_.end(), 0);
        idle_ = trees().processors();
        fill_order_ = order_.of_slice(grid(), now, trees(), [this] {
            std::vector<std::size_t> jobs;
            for (const std::vector<Present>& queue : queues_) {
                jobs.push_back(queue.size());
            }
            return jobs;
        });
    }

    void fill() override {
        const std::uint32_t row_class = grid().row_class();
        if (trees().is_root(row_class)) {
            if (idle_ == trees().processors() && !queues_[row_class].empty()) {
                const Present& oldest = queues_[row_class].front();
                run(oldest.id, oldest.size, {row_class, 0});
                taken_[row_class] = 1;
                idle_ = 0;
                return;
            }
        } else {
            for (const Share& share : shares_[row_class]) {
                take(share.job_class, share.nodes - std::min(share.nodes, taken_[share.job_class]));
            }
        }
        const std::uint32_t fillers = trees().trees().front().top + 1;
        for (std::uint32_t i = 0; i < fillers; ++i) {
            const std::uint32_t one = fill_order_ == FillOrder::leaves ? i : fillers - 1 - i;
            take(one, idle_ >> one);
        }
    }

    // At most so many further jobs of the class, while a node is idle.
    void take(std::uint32_t job_class, std::size_t most) {
        const std::vector<Present>& queue = queues_[job_class];
        const std::size_t first = taken_[job_class];
        const std::size_t end = std::min(queue.size(), first + most);
        std::size_t next = first;
        for (; next < end; ++next) {
            const auto node = blocks_.allocate(job_class);
            if (!node) {
                break;
            }
            run(queue[next].id, queue[next].size, {job_class, *node});
        }
        taken_[job_class] = next;
        idle_ -= static_cast<std::uint32_t>(next - first) * trees().node_size(job_class);
    }

    SliceOrder order_;
    BuddyBlocks blocks_;
    std::vector<std::vector<Share>> shares_;    // by row
    std::vector<std::vector<Present>> queues_;  // by class, all jobs in order of arrival

    // Of the slice.
    std::vector<std::size_t> taken_;  // by class: so many of the oldest jobs run
    std::uint32_t idle_ = 0;
    FillOrder fill_order_ = FillOrder::leaves;
};

std::vector<ParameterDescription> migration_gang_parameters() {
    std::vector<ParameterDescription> table = {
        {.name = "order",
         .meaning = "leaves: idle processors of a slice go to small jobs first; root: to large "
                    "ones; adaptive: in each cycle to the half of the classes that asks for more "
                    "processors at its start",
         .type = ParameterType::text,
         .default_value = "leaves",
         .words = {"leaves", "root", "adaptive"}}};
    const std::vector<ParameterDescription> shared = gang_parameters(MidSlice::idle);
    table.insert(table.end(), shared.begin(), shared.end());
    return table;
}

}  // namespace

FillOrder fill_order(const Parameters& given) {
    const std::string& order = given.text("order");
    return order == "leaves" ? FillOrder::leaves
           : order == "root" ? FillOrder::root
                             : FillOrder::adaptive;
}

FillOrder adapted_order(const std::vector<std::size_t>& jobs_by_class, const BuddyTrees& trees) {
    const std::uint32_t fillers = trees.trees().front().top + 1;
    std::uint64_t small = 0;
    std::uint64_t large = 0;
    for (std::uint32_t i = 0; i < fillers / 2; ++i) {
        small += jobs_by_class[i] << i;
        large += jobs_by_class[fillers - 1 - i] << (fillers - 1 - i);
    }
    return large > small ? FillOrder::root : FillOrder::leaves;
}

PolicyDescription describe_migration_gang() {
    PolicyDescription description;
    description.alternative = {
        .name = "migration_gang",
        .summary = "Gang scheduling with migration: idle processors of a slice run any other jobs.",
        .parameters = migration_gang_parameters(),
        .check = gang_problems,
        .source = "Wang, Papaefthymiou & Squillante 1997, section 2.5"};
    description.traits = [](const Parameters&) {
        return PolicyTraits{.preemptive = true, .names_processors = true};
    };
    description.make = [](const Parameters& given, const PolicyContext& context) {
        return std::make_unique<MigrationGang>(
            gang_settings(given), fill_order(given), BuddyTrees(context.system.processors())
        );
    };
    description.check_system = gang_system_problems;
    return description;
}

}  // namespace schedfarm::policies
