// Gang scheduling with job migration (Wang, Papaefthymiou & Squillante 1997, section 2.5): time
// slices on a fixed grid, one row after the other; at the start of each the jobs that run are
// chosen and placed anew.
//
// In the row of the root class its oldest job has the machine to itself, if there is one. Else jobs
// of the row's own classes are taken first come, first served up to the row's nodes; then jobs of
// the classes in order, from the leaves (0, 1, …) or from the root, while their nodes fit into what
// is idle. Jobs of the root class never fill. Nothing starts in mid-slice, and processors freed
// there stay idle. The first switch_cost_s of a slice do no work; migration itself is free.
//
// Cost: O(classes + jobs that run) per slice; no slices while there is no job.
#include "policies/migration_gang.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/foundation/expect.hpp"
#include "engine/planning/buddy_trees.hpp"
#include "engine/simulation/actions.hpp"

#include "policies/gang.hpp"

namespace schedfarm::policies {

namespace {

using namespace engine;  // NOLINT(google-build-using-namespace)

class MigrationGang final : public Policy {
  public:
    MigrationGang(const GangSettings& settings, FillOrder order, const BuddyTrees& trees)
        : order_(order)
        , switch_cost_s_(settings.switch_cost_s)
        , trees_(trees)
        , grid_(settings, trees)
        , blocks_(trees)
        , queues_(trees.classes())
        , taken_(trees.classes()) {}

    void react(const EventBatch& events, Actions& actions) override {
        for (const JobId id : events.completions) {
            std::erase(queues_[BuddyTrees::class_of(actions.job(id).size)], id);
            std::erase(running_, id);
            --jobs_;
        }
        for (const JobId id : events.arrivals) {
            const Job& job = actions.job(id);
            const std::uint32_t job_class = gang_class(job, trees_);
            grid_.arrive(job.submit_time, job.service_time, job_class);
            queues_[job_class].push_back(id);
            ++jobs_;
        }
        if (!events.timers.empty()) {
            slice(actions);
        } else if (!is_timed_ && jobs_ > 0) {
            grid_.find(actions.now());
            if (grid_.start() == actions.now()) {
                slice(actions);
            } else {
                set_timer(actions);
            }
        }
    }

  private:
    void set_timer(Actions& actions) {
        actions.set_timer(grid_.start(), Timer{});
        is_timed_ = true;
    }

    void slice(Actions& actions) {
        is_timed_ = false;
        for (const JobId id : running_) {
            actions.suspend(id);
        }
        running_.clear();
        if (jobs_ == 0) {
            return;
        }
        blocks_.reset();
        choose(actions);
        grid_.next();
        set_timer(actions);
    }

    void choose(Actions& actions) {
        const std::uint32_t row_class = grid_.row_class();
        std::fill(taken_.begin(), taken_.end(), 0);
        idle_ = trees_.processors();
        if (trees_.is_root(row_class) && !queues_[row_class].empty()) {
            run(queues_[row_class].front(), 0, actions);
            return;
        }
        for (const BuddyTrees::Tree& tree : trees_.trees()) {
            if (!trees_.is_root(row_class)) {
                const std::uint32_t own = served_class(tree, row_class);
                take(own, std::uint32_t{1} << (tree.top - own), actions);
            }
        }
        const std::uint32_t fillers = trees_.trees().front().top + 1;
        for (std::uint32_t i = 0; i < fillers; ++i) {
            const std::uint32_t one = order_ == FillOrder::leaves ? i : fillers - 1 - i;
            take(one, idle_ >> one, actions);
        }
    }

    // At most so many further jobs of the class.
    void take(std::uint32_t job_class, std::uint32_t most, Actions& actions) {
        const std::vector<JobId>& queue = queues_[job_class];
        for (; most > 0 && taken_[job_class] < queue.size(); --most) {
            const auto node = blocks_.allocate(job_class);
            SCHEDFARM_EXPECT(node.has_value(), "idle processors that make no node");
            run(queue[taken_[job_class]++], *node << job_class, actions);
            idle_ -= std::uint32_t{1} << job_class;
        }
    }

    void run(JobId id, std::uint32_t first_processor, Actions& actions) {
        const ProcessorRange range{ProcessorId{first_processor}, actions.job(id).size};
        actions.delay(id, switch_cost_s_);
        actions.start_on(id, {&range, 1});
        running_.push_back(id);
    }

    FillOrder order_;
    double switch_cost_s_;
    BuddyTrees trees_;
    SliceGrid grid_;  // at the slice that starts next
    BuddyBlocks blocks_;
    std::vector<std::vector<JobId>> queues_;  // by class, all jobs present in order of arrival
    std::vector<JobId> running_;
    std::uint64_t jobs_ = 0;
    bool is_timed_ = false;

    // Of the slice that is being filled.
    std::vector<std::size_t> taken_;  // by class
    std::uint32_t idle_ = 0;
};

FillOrder fill_order(const Parameters& given) {
    return given.text("order") == "leaves" ? FillOrder::leaves : FillOrder::root;
}

std::vector<ParameterDescription> parameters() {
    std::vector<ParameterDescription> table = {
        {.name = "order",
         .meaning = "leaves: idle processors of a slice go to small jobs first; root: to large "
                    "ones",
         .type = ParameterType::text,
         .default_value = "leaves",
         .words = {"leaves", "root"}}};
    const std::vector<ParameterDescription> shared = gang_parameters();
    table.insert(table.end(), shared.begin(), shared.end());
    return table;
}

}  // namespace

PolicyDescription describe_migration_gang() {
    PolicyDescription description;
    description.alternative = {
        .name = "migration_gang",
        .summary = "Gang scheduling with migration: idle processors of a slice run any other jobs.",
        .parameters = parameters(),
        .check = gang_problems,
        .source = "Wang, Papaefthymiou & Squillante 1997, section 2.5"};
    description.traits = [](const Parameters&) {
        return PolicyTraits{.preemptive = true};
    };
    description.make = [](const Parameters& given, const PolicyContext& context) {
        return std::make_unique<MigrationGang>(
            gang_settings(given), fill_order(given), BuddyTrees(context.system.processors())
        );
    };
    description.make_fast_way = [](const Parameters& given, const FastWayContext& context) {
        return make_migration_fast_way(gang_settings(given), fill_order(given), context);
    };
    description.make_verifier = [](const Parameters& given, const PolicyContext& context) {
        return make_migration_verifier(
            gang_settings(given), fill_order(given), BuddyTrees(context.system.processors())
        );
    };
    description.check_system = gang_system_problems;
    return description;
}

}  // namespace schedfarm::policies
